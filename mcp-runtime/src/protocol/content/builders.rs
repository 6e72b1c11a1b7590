//! Constructors and setters with which handlers create content blocks.

use data_encoding::BASE64;

use super::{
    Annotations, AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceContents,
    ResourceLink, Role, TextContent,
};

/// Implements setters for the annotations and the conversion to `ContentBlock`.
macro_rules! content {
    ($($type:ident => $block:ident),* $(,)?) => {$(
        impl $type {
            /// Sets the audience. Clients may hide the block from the user or the model if the
            /// audience does not include them.
            #[must_use]
            pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
                self.annotations_mut().audience = Some(audience.into_iter().collect());
                self
            }

            /// Sets the importance, from 0 (least important) to 1 (most important).
            ///
            /// A value outside of this range is clamped. NaN becomes 0.
            #[must_use]
            pub fn priority(mut self, priority: f64) -> Self {
                self.annotations_mut().priority = Some(priority.max(0.0).min(1.0));
                self
            }

            /// Sets the time of the last change in ISO 8601 (since 2025-06-18).
            #[must_use]
            pub fn last_modified(mut self, instant: impl Into<String>) -> Self {
                self.annotations_mut().last_modified = Some(instant.into());
                self
            }

            fn annotations_mut(&mut self) -> &mut Annotations {
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
    /// Creates a text block.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// Implements `new` for any media type, and one constructor for each common file format.
macro_rules! formats {
    ($type:ident: $($(#[$doc:meta])* $name:ident = $mime_type:literal),* $(,)?) => {
        impl $type {
            /// Creates a block from a media type, for example `image/avif` or `audio/aac`, and the
            /// bytes of a file.
            ///
            /// The bytes are encoded in base64, which increases the size by a third.
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
    /// Creates a block from the bytes of a PNG file.
    png = "image/png",
    /// Creates a block from the bytes of a JPEG file.
    jpeg = "image/jpeg",
    /// Creates a block from the bytes of a GIF file.
    gif = "image/gif",
    /// Creates a block from the bytes of a WebP file.
    webp = "image/webp",
    /// Creates a block from the bytes of an SVG file. Many clients do not display SVG.
    svg = "image/svg+xml",
}

formats! { AudioContent:
    /// Creates a block from the bytes of a WAV file.
    wav = "audio/wav",
    /// Creates a block from the bytes of an MP3 file.
    mp3 = "audio/mpeg",
    /// Creates a block from the bytes of an Ogg file.
    ogg = "audio/ogg",
    /// Creates a block from the bytes of a FLAC file.
    flac = "audio/flac",
}

impl ResourceLink {
    /// Creates a link to the resource with the URI `uri`. `name` is the name for programs.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    /// Sets the name for display to the user.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the description for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the media type, for example `text/plain`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the resource in bytes, before base64 encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

impl EmbeddedResource {
    /// Creates an embedded resource from text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        ResourceContents::text(uri, text).into()
    }

    /// Creates an embedded resource from bytes, which are encoded in base64.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        ResourceContents::bytes(uri, bytes).into()
    }

    /// Sets the media type, for example `text/plain`.
    #[must_use]
    pub fn mime_type(mut self, format: impl Into<String>) -> Self {
        self.resource = self.resource.mime_type(format);
        self
    }
}

impl ResourceContents {
    /// Creates text contents.
    ///
    /// If `uri` is empty, the server inserts the URI of the request.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text {
            uri: uri.into(),
            mime_type: None,
            text: text.into(),
            meta: None,
        }
    }

    /// Creates binary contents, which are encoded in base64.
    ///
    /// If `uri` is empty, the server inserts the URI of the request.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Blob {
            uri: uri.into(),
            mime_type: None,
            blob: BASE64.encode(bytes.as_ref()),
            meta: None,
        }
    }

    /// Sets the media type, for example `text/plain`.
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
