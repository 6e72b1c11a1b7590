use serde_json::json;

use super::Service;
use crate::audit::AuditOutcome;
use crate::auth::{Access, Verdict};
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::Defined;

/// Why a stage stops a request.
#[derive(Debug)]
pub(crate) struct Denial {
    pub(super) outcome: AuditOutcome,
    /// For the client.
    pub(super) error: ErrorObject,
    /// For the operator.
    pub(super) detail: String,
}

impl Denial {
    /// Nothing has the name that was called.
    pub(super) fn unknown(error: ErrorObject) -> Self {
        Self {
            outcome: AuditOutcome::Unknown,
            error,
            detail: String::new(),
        }
    }
}

impl From<Denial> for ErrorObject {
    fn from(denial: Denial) -> Self {
        denial.error
    }
}

/// Whether this caller may use this definition; `absent` is what is said of one
/// that does not exist.
///
/// It is asked before the arguments are read: what is said about wrong ones would
/// tell the schema of what the caller may not see.
pub(super) fn authorize(
    service: &Service,
    definition: &dyn Defined,
    scope: &RequestScope<'_>,
    absent: impl FnOnce() -> ErrorObject,
) -> Result<(), Denial> {
    tracing::trace!("authorize");
    let common = definition.common();
    let (name, scopes) = (&common.name, common.policy.scopes);
    let needed = scopes.join(" ");
    let (outcome, error, detail) = match decide(service, definition, scope) {
        Verdict::Allowed => return Ok(()),
        Verdict::Hidden(reason) => (AuditOutcome::Denied, absent(), reason.into_owned()),
        Verdict::Anonymous => {
            let message = format!("`{name}` needs a caller who is known; send a token");
            let error = ErrorObject::new(ErrorCode::UNAUTHENTICATED, message);
            let error = error.with_data(json!({ "scopes": scopes }));
            (AuditOutcome::Unauthenticated, error, String::new())
        }
        Verdict::Insufficient => {
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

/// Whether a caller sees the definition: exactly if it may be used.
pub(crate) fn sees(service: &Service, definition: &dyn Defined, scope: &RequestScope<'_>) -> bool {
    decide(service, definition, scope) == Verdict::Allowed
}

fn decide(service: &Service, definition: &dyn Defined, scope: &RequestScope<'_>) -> Verdict {
    let access = access(definition, scope);
    service.guards.decide(&access, definition.common().personal)
}

/// Who wants to use what.
pub(super) fn access<'a>(definition: &'a dyn Defined, scope: &'a RequestScope<'_>) -> Access<'a> {
    let common = definition.common();
    Access {
        principal: scope.principal.as_deref(),
        channel: scope.channel,
        kind: definition.kind().word(),
        name: &common.key,
        scopes: common.policy.scopes,
    }
}
