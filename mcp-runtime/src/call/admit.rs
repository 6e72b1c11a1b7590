use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::Service;
use super::authorize::Denial;
use crate::audit::AuditOutcome;
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::registry::Defined;

/// Whether there is room for one more request: of this caller, and of all.
///
/// It is asked before the arguments are read, so that bad calls count as well.
/// Requests of one method for one definition are counted together.
pub(super) fn admit(
    service: &Service,
    definition: &dyn Defined,
    scope: &RequestScope<'_>,
    method: &str,
) -> Result<Option<OwnedSemaphorePermit>, Denial> {
    tracing::trace!("admit");
    if service.audit.is_stopped() {
        return Err(Denial {
            outcome: AuditOutcome::Stopped,
            error: ErrorObject::internal(),
            detail: "no audit record could be written".to_owned(),
        });
    }
    let quotas = &service.quotas;
    if let Err(wait) = quotas.take(scope.principal_id(), method, &definition.common().name) {
        return Err(limited("there were too many such calls", wait));
    }
    let soon = Duration::from_secs(1);
    if quotas
        .per_client
        .is_some_and(|most| scope.in_flight >= most)
    {
        return Err(limited("too many calls of this client are running", soon));
    }
    let Some(calls) = &quotas.calls else {
        return Ok(None);
    };
    let permit = Arc::clone(calls).try_acquire_owned();
    permit
        .map(Some)
        .map_err(|_| limited("too many calls are running", soon))
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
