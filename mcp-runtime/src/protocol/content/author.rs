//! How an author makes a piece of content: from bytes, with hints behind it.

use data_encoding::BASE64;

use super::{
    Annotations, AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceContents,
    ResourceLink, Role, TextContent,
};

/// The hints of each piece of content, and its place among the others.
macro_rules! content {
    ($($type:ident => $block:ident),* $(,)?) => {$(
        impl $type {
            /// For whom it is meant; clients show each audience its own part.
            #[must_use]
            pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
                self.hints().audience = Some(audience.into_iter().collect());
                self
            }

            /// How much it matters, from 0 (optional) to 1 (required).
            ///
            /// What is beyond counts as the nearer end, and no number as 0.
            #[must_use]
            pub fn priority(mut self, priority: f64) -> Self {
                self.hints().priority = Some(priority.max(0.0).min(1.0));
                self
            }

            /// When it was last changed, in ISO 8601 (since 2025-06-18).
            #[must_use]
            pub fn last_modified(mut self, instant: impl Into<String>) -> Self {
                self.hints().last_modified = Some(instant.into());
                self
            }

            fn hints(&mut self) -> &mut Annotations {
                self.annotations.get_or_insert_default()
            }
        }

        impl From<$type> for ContentBlock {
            fn from(content: $type) -> Self {
                Self::$block(content)
            }
        }
    )*};
}

content! {
    TextContent => Text,
    ImageContent => Image,
    AudioContent => Audio,
    ResourceLink => ResourceLink,
    EmbeddedResource => Resource,
}

impl TextContent {
    /// Text, as it is.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// One constructor a format that clients know.
macro_rules! formats {
    ($type:ident: $($(#[$doc:meta])* $name:ident = $mime_type:literal),* $(,)?) => {
        impl $type {
            /// Bytes of any format, for example `image/avif` or `audio/aac`.
            ///
            /// A third more is sent than there are bytes: they are written in base64.
            pub fn new(mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
                Self {
                    data: BASE64.encode(bytes.as_ref()),
                    mime_type: mime_type.into(),
                    ..Self::default()
                }
            }
            $(
                $(#[$doc])*
                pub fn $name(bytes: impl AsRef<[u8]>) -> Self {
                    Self::new($mime_type, bytes)
                }
            )*
        }
    };
}

formats! { ImageContent:
    /// The bytes of a PNG file.
    png = "image/png",
    /// The bytes of a JPEG file.
    jpeg = "image/jpeg",
    /// The bytes of a GIF file.
    gif = "image/gif",
    /// The bytes of a WebP file.
    webp = "image/webp",
    /// The text of an SVG file; many clients do not show it.
    svg = "image/svg+xml",
}

formats! { AudioContent:
    /// The bytes of a WAV file.
    wav = "audio/wav",
    /// The bytes of an MP3 file.
    mp3 = "audio/mpeg",
    /// The bytes of an Ogg file.
    ogg = "audio/ogg",
    /// The bytes of a FLAC file.
    flac = "audio/flac",
}

impl ResourceLink {
    /// A resource that the client may read at `uri`, and a name for it.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What it is, for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Its format, for example `text/plain`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// In bytes, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

impl EmbeddedResource {
    /// The text of the resource at `uri`.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        ResourceContents::text(uri, text).into()
    }

    /// The bytes of the resource at `uri`; they are written in base64.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        ResourceContents::bytes(uri, bytes).into()
    }

    /// Its format, for example `text/plain`.
    #[must_use]
    pub fn mime_type(mut self, format: impl Into<String>) -> Self {
        self.resource = self.resource.mime_type(format);
        self
    }
}

impl ResourceContents {
    /// Text at a URI.
    ///
    /// An empty URI stands for the one that is being read.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text {
            uri: uri.into(),
            mime_type: None,
            text: text.into(),
            meta: None,
        }
    }

    /// Bytes at a URI; they are written in base64.
    ///
    /// An empty URI stands for the one that is being read.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Blob {
            uri: uri.into(),
            mime_type: None,
            blob: BASE64.encode(bytes.as_ref()),
            meta: None,
        }
    }

    /// Its format, for example `text/plain`.
    #[must_use]
    pub fn mime_type(mut self, format: impl Into<String>) -> Self {
        let (Self::Text { mime_type, .. } | Self::Blob { mime_type, .. }) = &mut self;
        *mime_type = Some(format.into());
        self
    }
}

impl From<ResourceContents> for EmbeddedResource {
    fn from(resource: ResourceContents) -> Self {
        Self {
            resource,
            annotations: None,
            meta: None,
        }
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}
