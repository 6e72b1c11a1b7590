use serde_json::{Value, json};

use super::authorize::Denial;
use crate::audit::AuditOutcome;
use crate::context::RequestParts;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::{DefinitionMeta, TaskSupport};
use crate::task::{AVAILABLE, EXTENSION};

/// Rejects a call if the tool only runs as a task and the client does not support tasks.
///
/// This check follows authorization, because its error would disclose that a hidden tool exists.
pub(super) fn require_task_support(
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
) -> Result<(), Denial> {
    let required = AVAILABLE && definition.policy.task == TaskSupport::Required;
    if !required || !parts.revision.is_modern() || supports_tasks(parts) {
        return Ok(());
    }
    let error = missing_task_support();
    Err(Denial {
        outcome: AuditOutcome::Invalid,
        detail: error.message.clone().into_owned(),
        error,
    })
}

/// Whether the client of the request has declared support for tasks.
pub(crate) fn supports_tasks(parts: &RequestParts<'_>) -> bool {
    let extensions = parts.context().client.capabilities.extensions.as_ref();
    extensions.is_some_and(|extensions| extensions.get(EXTENSION).is_some_and(Value::is_object))
}

/// Returns the error −32021 for a client that does not support tasks (extension, *Capability
/// negotiation*).
pub(crate) fn missing_task_support() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        "the client has not declared support for tasks",
    )
    .with_data(json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } }))
}
