use serde_json::json;

use super::{Service, resolve};
use crate::audit::AuditOutcome;
use crate::auth::{Access, Verdict};
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::RegisteredTool;

/// Why a stage stops a call.
#[derive(Debug)]
pub(super) struct Denial {
    pub(super) outcome: AuditOutcome,
    /// For the client.
    pub(super) error: ErrorObject,
    /// For the operator.
    pub(super) detail: String,
}

/// Whether this caller may call this tool.
///
/// It is asked before the arguments are read: what is said about wrong ones would
/// tell the schema of a tool that the caller may not see.
pub(super) fn authorize(
    service: &Service,
    tool: &RegisteredTool,
    scope: &RequestScope<'_>,
) -> Result<(), Denial> {
    tracing::trace!("authorize");
    let name = tool.name();
    let scopes = tool.policy().scopes;
    let (outcome, error, detail) = match decide(service, tool, scope) {
        Verdict::Allowed => return Ok(()),
        Verdict::Hidden(reason) => {
            let error = resolve::unknown(service, scope, name);
            (AuditOutcome::Denied, error, reason.into_owned())
        }
        Verdict::Anonymous => {
            let message = format!("`{name}` needs a caller who is known; send a token");
            let error = ErrorObject::new(ErrorCode::UNAUTHENTICATED, message);
            let error = error.with_data(json!({ "scopes": scopes }));
            (AuditOutcome::Unauthenticated, error, String::new())
        }
        Verdict::Insufficient => {
            let needed = scopes.join(" ");
            let message = format!("`{name}` needs the scopes `{needed}`");
            let error = ErrorObject::new(ErrorCode::FORBIDDEN, message);
            let error = error.with_data(json!({ "scopes": scopes }));
            (AuditOutcome::Forbidden, error, format!("needs {needed}"))
        }
    };
    Err(Denial {
        outcome,
        error,
        detail,
    })
}

/// Whether a caller sees the tool: exactly if it may be called.
pub(crate) fn sees(service: &Service, tool: &RegisteredTool, scope: &RequestScope<'_>) -> bool {
    decide(service, tool, scope) == Verdict::Allowed
}

fn decide(service: &Service, tool: &RegisteredTool, scope: &RequestScope<'_>) -> Verdict {
    let access = Access {
        principal: scope.principal.as_deref(),
        channel: scope.channel,
        kind: "tool",
        name: tool.name(),
        scopes: tool.policy().scopes,
    };
    service.guards.decide(&access, tool.needs_principal())
}
