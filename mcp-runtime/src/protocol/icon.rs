use serde::{Deserialize, Serialize};

/// An icon of a server, client, tool, prompt or resource (since 2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// The URL of the image, or a `data:` URI.
    pub src: String,
    /// The media type, if it differs from the one in the HTTP response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes, such as `48x48` or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background it is designed for: `light` or `dark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

impl From<&str> for Icon {
    fn from(src: &str) -> Self {
        Self {
            src: src.to_owned(),
            ..Self::default()
        }
    }
}
