use serde::{Deserialize, Serialize};

use super::JsonObject;

/// A directory or file on which the client wants the server to work.
///
/// A root is only a hint. It does not grant access to the directory or file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Root {
    /// The URI of the root, which starts with `file://`.
    pub uri: String,
    /// A name for display to the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Additional data for programs (since 2025-06-18). In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The result of `roots/list`, which the client sends to the server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListRootsResult {
    /// The roots in the order in which the client sent them.
    pub roots: Vec<Root>,
}

impl Root {
    /// Creates a root without a name.
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            ..Self::default()
        }
    }
}
