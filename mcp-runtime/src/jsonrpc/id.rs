use std::fmt;

use serde::{Deserialize, Serialize};

/// The id of a request, which is a string or an integer. The response contains the same id with the
/// same JSON type.
///
/// JSON-RPC also allows `null` and fractions, but MCP does not (specification, *Base protocol*,
/// *Requests*).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// An integer id.
    Number(i64),
    /// A string id.
    String(Box<str>),
}

impl RequestId {
    /// Parses an id. Returns `None` if `json` is not a string or an integer.
    pub(crate) fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// Returns a copy of the id. A string id is truncated to `max_chars` characters.
    pub(crate) fn truncated(&self, max_chars: usize) -> Self {
        match self {
            Self::Number(number) => Self::Number(*number),
            Self::String(text) => Self::from(&*crate::text::truncate(text, max_chars)),
        }
    }

    /// Appends the id as JSON.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        // Serializing a string or an integer to a `Vec` cannot fail.
        let _ = serde_json::to_writer(out, self);
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::String(text) => write!(formatter, "{text:?}"),
        }
    }
}
