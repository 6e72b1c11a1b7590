use serde::{Deserialize, Serialize};

/// An icon of a server, client, tool, prompt or resource (since 2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// The URL of the image, or a `data:` URI.
    pub src: String,
    /// The media type of the image. Set it if the HTTP response has no media type or a generic one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes of the image, for example `48x48` or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The background for which the icon is designed, which is `light` or `dark`.
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
