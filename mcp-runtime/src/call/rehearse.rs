use serde_json::Value;

use super::approve::Consent;
use super::audit::Record;
use crate::audit::AuditOutcome;
use crate::context::RequestScope;
use crate::protocol::{CallToolResult, JsonObject};
use crate::registry::RegisteredTool;

/// In the `_meta` of a request: `true` lets everything happen but the body.
const DRY_RUN: &str = "mcp-runtime/dryRun";

/// Whether the client wants to know what would happen.
pub(super) fn is_dry_run(scope: &RequestScope<'_>) -> bool {
    let meta = scope.meta.filter(|meta| meta.get().contains(DRY_RUN));
    let meta = meta.and_then(|meta| serde_json::from_str::<JsonObject>(meta.get()).ok());
    meta.is_some_and(|meta| meta.get(DRY_RUN) == Some(&Value::Bool(true)))
}

/// Says what would run.
///
/// It is an error result: nothing was done, and it has not the form of the
/// tool's own results.
pub(super) fn rehearsed(
    record: Record,
    tool: &RegisteredTool,
    consent: Option<&Consent>,
) -> CallToolResult {
    let name = tool.name();
    let mut text = format!("dry run: `{name}` would be called with these arguments");
    if let Some(consent) = consent {
        text.push_str(", once a person has agreed to: ");
        text.push_str(consent.question());
    }
    text.push_str("\nnothing was done");
    let mut result = record.told(AuditOutcome::DryRun, text);
    let meta = result.meta.get_or_insert_default();
    meta.insert(DRY_RUN.to_owned(), true.into());
    result
}
