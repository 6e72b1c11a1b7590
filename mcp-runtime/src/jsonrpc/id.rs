use std::fmt;

use serde::{Deserialize, Serialize};

/// The id of a request: a string or an integer, echoed with its JSON type.
///
/// Unlike JSON-RPC, MCP does not allow `null` or fractions
/// (specification, *Base protocol*, *Requests*).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// An integer id.
    Number(i64),
    /// A string id.
    String(Box<str>),
}

impl RequestId {
    /// Parses an id; `None` if it is neither a string nor an integer.
    pub(crate) fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// Returns the id, with a long string truncated to `max_chars` characters.
    pub(crate) fn truncated(&self, max_chars: usize) -> Self {
        match self {
            Self::Number(number) => Self::Number(*number),
            Self::String(text) => Self::from(&*crate::text::truncate(text, max_chars)),
        }
    }

    /// Appends the id as JSON.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        // Writing a string or an integer into a `Vec` cannot fail.
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
