use serde_json::Value;

use crate::protocol::Revision;

/// Whether structured content is wrapped as `{"result": …}`.
///
/// Revisions 2025-06-18 and 2025-11-25 want an object. Listing and calling both
/// ask here, so that a schema and its values cannot differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// The revision takes the value as it is.
    Never,
    /// The tool's schema describes no object.
    Always,
    /// Without a schema, a hand-made value speaks for itself.
    ByValue,
}

impl Wrap {
    /// What applies at `revision` to a tool with that output schema.
    pub(crate) fn at<'a>(revision: Revision, schema: impl FnOnce() -> Option<&'a Value>) -> Self {
        if revision < Revision::V2025_06_18 || revision.is_modern() {
            return Self::Never;
        }
        match schema() {
            None => Self::ByValue,
            Some(schema) if schema.get("type").and_then(Value::as_str) == Some("object") => {
                Self::Never
            }
            Some(_) => Self::Always,
        }
    }

    /// Whether this value, as JSON, is wrapped.
    pub(super) fn applies_to(self, json: &str) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::ByValue => !json.starts_with('{'),
        }
    }
}
