use serde_json::{Value, json};

use super::authorize::Denial;
use crate::audit::AuditOutcome;
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::{Common, TaskSupport};
use crate::task::{AVAILABLE, EXTENSION};

/// Whether the work of a tool that can only go on as a task can do so.
///
/// Asked after who calls: a client that must not see a tool does not learn what
/// the tool would need.
pub(super) fn demand(common: &Common, scope: &RequestScope<'_>) -> Result<(), Denial> {
    let required = AVAILABLE && common.policy.task == TaskSupport::Required;
    if !required || !scope.revision.is_modern() || knows_tasks(scope) {
        return Ok(());
    }
    let error = no_tasks();
    Err(Denial {
        outcome: AuditOutcome::Invalid,
        detail: error.message.clone().into_owned(),
        error,
    })
}

/// Whether the request says that its client knows tasks.
pub(crate) fn knows_tasks(scope: &RequestScope<'_>) -> bool {
    let extensions = scope.context().client.capabilities.extensions.as_ref();
    extensions.is_some_and(|extensions| extensions.get(EXTENSION).is_some_and(Value::is_object))
}

/// What a client is told that would have to know tasks
/// (−32021, extension, *Capability negotiation*).
pub(crate) fn no_tasks() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        "the client has not declared that it knows tasks",
    )
    .with_data(json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } }))
}
