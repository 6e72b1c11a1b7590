use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::ServerContext;
use super::authorize::Denial;
use crate::audit::AuditOutcome;
use crate::context::RequestParts;
use crate::jsonrpc::{ErrorCode, ErrorObject};

/// Checks the rate limits and acquires a permit of the server's concurrency limit.
///
/// The check precedes the validation of the arguments, because invalid calls count as well.
/// Requests with the same method and the same definition share one rate limit.
///
/// # Errors
/// Returns a [`Denial`] if a limit is exceeded or audit records cannot be written.
pub(super) fn admit(
    server: &ServerContext,
    name: &str,
    parts: &RequestParts<'_>,
    method: &str,
) -> Result<Option<OwnedSemaphorePermit>, Denial> {
    tracing::trace!("admit");
    if server.audit.is_blocked() {
        return Err(Denial {
            outcome: AuditOutcome::AuditUnavailable,
            error: ErrorObject::internal(),
            detail: "no audit record could be written".to_owned(),
        });
    }
    let quotas = &server.quotas;
    if let Err(wait) = quotas.check_rate(parts.principal_id(), method, name) {
        return Err(limited("there were too many such calls", wait));
    }
    let retry_after = Duration::from_secs(1);
    if quotas
        .per_client
        .is_some_and(|limit| parts.in_flight >= limit)
    {
        return Err(limited(
            "too many calls of this client are running",
            retry_after,
        ));
    }
    let Some(calls) = &quotas.calls else {
        return Ok(None);
    };
    let permit = Arc::clone(calls).try_acquire_owned();
    permit
        .map(Some)
        .map_err(|_| limited("too many calls are running", retry_after))
}

/// Checks the rate limit of requests for unknown definitions. All of them share one rate limit,
/// because otherwise a caller could avoid the limit by inventing names.
pub(super) fn admit_unknown(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    method: &str,
) -> Result<(), Denial> {
    let checked = server.quotas.check_rate(parts.principal_id(), method, "");
    checked.map_err(|wait| limited("there were too many such calls", wait))
}

fn limited(reason: &str, wait: Duration) -> Denial {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let message = format!("{reason}; try again in {seconds} s");
    let error = ErrorObject::new(ErrorCode::RATE_LIMITED, message);
    Denial {
        outcome: AuditOutcome::RateLimited,
        error: error.with_data(json!({ "retryAfter": seconds })),
        detail: reason.to_owned(),
    }
}
