mod builders;

use serde::{Deserialize, Serialize};

use super::JsonObject;

/// A content block of a tool result or a prompt message.
///
/// ```
/// use mcp_runtime::protocol::{ContentBlock, ImageContent, Role};
///
/// let image = ImageContent::png(b"\x89PNG").audience([Role::User]);
/// let block = ContentBlock::from(image);
/// assert_eq!(serde_json::to_value(&block).unwrap()["mimeType"], "image/png");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// An image.
    Image(ImageContent),
    /// Audio (since 2025-03-26). Older clients receive a text block with the media type instead.
    Audio(AudioContent),
    /// A link to a resource (since 2025-06-18). Older clients receive a text block with the name
    /// and URI instead.
    ResourceLink(ResourceLink),
    /// A resource that is embedded with its contents.
    Resource(EmbeddedResource),
}

impl ContentBlock {
    /// Returns the length of the text or of the base64 data in bytes.
    pub(crate) fn content_bytes(&self) -> usize {
        match self {
            Self::Text(content) => content.text.len(),
            Self::Image(content) => content.data.len(),
            Self::Audio(content) => content.data.len(),
            Self::ResourceLink(link) => link.uri.len() + link.name.len(),
            Self::Resource(embedded) => embedded.resource.content_bytes(),
        }
    }
}

impl ResourceContents {
    /// Returns the length of the text or of the base64 data in bytes.
    pub(crate) fn content_bytes(&self) -> usize {
        match self {
            Self::Text { text, .. } => text.len(),
            Self::Blob { blob, .. } => blob.len(),
        }
    }
}

/// Text for the model or the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// An image, encoded in base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageContent {
    /// The data in base64 with padding.
    pub data: String,
    /// The media type, for example `image/png`.
    pub mime_type: String,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// Audio, encoded in base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AudioContent {
    /// The data in base64 with padding.
    pub data: String,
    /// The media type, for example `audio/wav`.
    pub mime_type: String,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// A link to a resource that the client can read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    /// The URI of the resource.
    pub uri: String,
    /// The name for programs. Clients show it to the user if there is no `title`.
    pub name: String,
    /// A name for display to the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type, for example `text/plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The size of the resource in bytes, before base64 encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// A resource that is embedded with its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedResource {
    /// The contents of the resource.
    pub resource: ResourceContents,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The contents of a resource, which are text or binary data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ResourceContents {
    /// Text contents. The specification names this type `TextResourceContents`.
    Text {
        /// The URI of the resource.
        uri: String,
        /// The media type, for example `text/plain`.
        #[serde(rename = "mimeType", default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The text.
        text: String,
        /// Additional data for programs. In JSON, this member is named `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
        meta: Option<JsonObject>,
    },
    /// Binary contents. The specification names this type `BlobResourceContents`.
    Blob {
        /// The URI of the resource.
        uri: String,
        /// The media type, for example `image/png`.
        #[serde(rename = "mimeType", default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The data in base64 with padding.
        blob: String,
        /// Additional data for programs. In JSON, this member is named `_meta`.
        #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
        meta: Option<JsonObject>,
    },
}

/// Hints for the client about a content block or a resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// The intended audience. If it is `None`, the content is for the user and the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Role>>,
    /// The importance of the content, from 0 (least important) to 1 (most important).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// The time of the last change in ISO 8601 (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// The sender or the audience of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
}

impl ContentBlock {
    /// Creates a text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// Returns the text of a text block. Returns `None` for all other blocks.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(content) => Some(&content.text),
            _ => None,
        }
    }
}
