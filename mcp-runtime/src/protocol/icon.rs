use serde::{Deserialize, Serialize};

/// A picture for people (since 2025-11-25).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// A URL, or the picture itself as a `data:` URI.
    pub src: String,
    /// What kind of picture it is, if its server does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// For which sizes it is made: `48x48`, or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// For which background it is made: `light` or `dark`.
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
