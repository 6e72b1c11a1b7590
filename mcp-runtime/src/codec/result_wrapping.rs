use serde_json::Value;

use crate::protocol::Revision;

/// Whether structured content is wrapped in `{"result": …}`.
///
/// Protocol versions 2025-06-18 and 2025-11-25 allow only objects as structured content.
/// `tools/list` and `tools/call` both use this type, so the results match the output schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultWrapping {
    /// The content is never wrapped. The revision allows any value, or the output schema describes
    /// an object.
    Never,
    /// The content is always wrapped, because the output schema does not describe an object.
    Always,
    /// The content is wrapped if it is not an object, because the tool has no output schema.
    ByValue,
}

impl ResultWrapping {
    /// Returns the wrapping for `revision` and the output schema of a tool.
    pub(crate) fn for_revision<'a>(
        revision: Revision,
        schema: impl FnOnce() -> Option<&'a Value>,
    ) -> Self {
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

    /// Checks whether the structured content `json` is wrapped.
    pub(super) fn applies_to(self, json: &str) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::ByValue => !json.starts_with('{'),
        }
    }
}
