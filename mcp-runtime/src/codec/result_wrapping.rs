use serde_json::Value;

use crate::protocol::Revision;

/// Whether structured content is wrapped in `{"result": …}`.
///
/// 2025-06-18 and 2025-11-25 require an object. Lists and calls both use this
/// type, so that a schema and its values agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultWrapping {
    /// The revision accepts any value.
    Never,
    /// The output schema does not describe an object.
    Always,
    /// Without an output schema, only values that are not objects are wrapped.
    ByValue,
}

impl ResultWrapping {
    /// Returns the wrapping for `revision` and an output schema.
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

    /// Whether this JSON value is wrapped.
    pub(super) fn applies_to(self, json: &str) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::ByValue => !json.starts_with('{'),
        }
    }
}
