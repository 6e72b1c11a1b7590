use serde_json::json;

use super::ServerContext;
use crate::audit::AuditOutcome;
use crate::auth::{Access, AccessOutcome};
use crate::context::RequestParts;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::{DefinitionKind, DefinitionMeta};
use crate::uri_template::normalize;

/// A denied request: its audit outcome, the error for the client, and a detail for the log.
#[derive(Debug)]
pub(crate) struct Denial {
    pub(super) outcome: AuditOutcome,
    /// The error that is sent to the client.
    pub(super) error: ErrorObject,
    /// The detail that is written to the log only.
    pub(super) detail: String,
}

impl Denial {
    /// Creates the denial of a request whose definition does not exist.
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

/// Checks whether the caller may use the definition.
///
/// This check precedes the validation of the arguments, because a validation error would disclose
/// the schema of a hidden definition. `not_found` creates the error for a hidden definition.
///
/// # Errors
/// Returns a [`Denial`] if the caller may not use the definition.
pub(super) fn authorize(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
    requested: &str,
    not_found: impl FnOnce() -> ErrorObject,
) -> Result<(), Denial> {
    tracing::trace!("authorize");
    let (name, scopes) = (&definition.name, definition.policy.scopes);
    let required = scopes.join(" ");
    let (outcome, error, detail) = match decide_requested(server, definition, parts, requested) {
        AccessOutcome::Allowed => return Ok(()),
        AccessOutcome::Hidden(reason) => (AuditOutcome::Denied, not_found(), reason.into_owned()),
        AccessOutcome::Unauthenticated => {
            let message = format!("`{name}` needs an authenticated caller; send a token");
            let error = ErrorObject::new(ErrorCode::UNAUTHENTICATED, message);
            let error = error.with_data(json!({ "scopes": scopes }));
            (AuditOutcome::Unauthenticated, error, String::new())
        }
        AccessOutcome::InsufficientScope => {
            let message = format!("`{name}` needs the scopes `{required}`");
            let error = ErrorObject::new(ErrorCode::FORBIDDEN, message);
            let error = error.with_data(json!({ "scopes": scopes }));
            (
                AuditOutcome::Forbidden,
                error,
                format!("requires {required}"),
            )
        }
    };
    Err(Denial {
        outcome,
        error,
        detail,
    })
}

/// Whether the definition is listed for the caller.
pub(crate) fn is_visible(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
) -> bool {
    decide(server, definition, parts) == AccessOutcome::Allowed
}

/// Decides whether the caller may use the definition. For a resource template, the caller also
/// needs access to the URI of the request.
fn decide_requested(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
    requested: &str,
) -> AccessOutcome {
    let verdict = decide(server, definition, parts);
    let is_template = definition.kind == DefinitionKind::ResourceTemplate;
    if verdict != AccessOutcome::Allowed || !is_template || requested == definition.key {
        return verdict;
    }
    let access = Access {
        kind: DefinitionKind::Resource.as_str(),
        name: &normalize(requested),
        ..access(definition, parts)
    };
    let needs_principal = definition.requires_principal;
    server.access_control.decide(&access, needs_principal)
}

fn decide(
    server: &ServerContext,
    definition: &DefinitionMeta,
    parts: &RequestParts<'_>,
) -> AccessOutcome {
    let access = access(definition, parts);
    server
        .access_control
        .decide(&access, definition.requires_principal)
}

/// Returns the description of a caller's access to a definition, which authorizers receive.
pub(super) fn access<'a>(
    definition: &'a DefinitionMeta,
    parts: &'a RequestParts<'_>,
) -> Access<'a> {
    Access {
        principal: parts.principal.as_deref(),
        transport: parts.transport,
        kind: definition.kind.as_str(),
        name: &definition.key,
        scopes: definition.policy.scopes,
    }
}
