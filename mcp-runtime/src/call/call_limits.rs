use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::ServerContext;
use super::outcome::CallOutcome;
use super::run_handler::run_handler;
use crate::audit::AuditOutcome;
use crate::context::{Cancellation, PendingInputRequests, RequestParts};
use crate::error::ToolError;
use crate::handler::PreparedCall;
use crate::registry::DefinitionMeta;

/// The minimum time between two checks of a call's deadline.
const MIN_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// The concurrency limits and the timeout of a call.
#[derive(Debug)]
pub(super) struct CallLimits {
    /// The permit of the server's concurrency limit, which the call already holds.
    permit: Option<OwnedSemaphorePermit>,
    /// The semaphore of the tool's concurrency limit. Calls acquire its permits in the order of
    /// their arrival.
    tool_permits: Option<Arc<Semaphore>>,
    deadline: Option<Deadline>,
}

/// The timeout of a call, which includes the time that the call waits for a permit of its tool.
#[derive(Debug)]
struct Deadline {
    limit: Duration,
    outcome: CallOutcome,
    /// Signals to the handler that its call has timed out.
    expiry: Cancellation,
    /// Measures how long the handler waits for the client. This time does not count towards
    /// `limit`.
    input_requests: Arc<PendingInputRequests>,
}

/// The permits of the server and the tool. A handler holds them until it has ended, even if its
/// call has ended earlier.
type HeldPermits = [Option<OwnedSemaphorePermit>; 2];

impl CallLimits {
    /// Creates the limits of a call. The timeout of the server applies if the definition has none.
    pub(super) fn new(
        server: &ServerContext,
        definition: &DefinitionMeta,
        parts: &RequestParts<'_>,
        permit: Option<OwnedSemaphorePermit>,
        outcome: impl FnOnce() -> CallOutcome,
    ) -> Self {
        let policy = definition.policy;
        let tool_permits = |limit| server.quotas.tool_semaphore(&definition.name, limit);
        let deadline = |limit| Deadline {
            limit,
            outcome: outcome(),
            expiry: parts.expiry().clone(),
            input_requests: Arc::clone(parts.input_requests()),
        };
        Self {
            permit,
            tool_permits: policy.max_concurrency.map(tool_permits),
            deadline: policy.timeout.or(server.quotas.timeout).map(deadline),
        }
    }

    /// Applies the limits to a handler. Returns the handler unchanged if there are no limits.
    pub(super) fn apply<V: Send + 'static>(
        self,
        handler: PreparedCall<Result<V, ToolError>>,
    ) -> PreparedCall<Result<V, ToolError>> {
        if self.deadline.is_some() {
            return PreparedCall::future(self.run(handler));
        }
        let Some(tool_permits) = &self.tool_permits else {
            return holding(handler, [self.permit, None]);
        };
        match Arc::clone(tool_permits).try_acquire_owned() {
            Ok(tool_permit) => holding(handler, [self.permit, Some(tool_permit)]),
            Err(_) => PreparedCall::future(self.run(handler)),
        }
    }

    /// Waits for a permit of the tool and runs the handler within the timeout.
    pub(super) async fn run<V: Send + 'static>(
        self,
        handler: PreparedCall<Result<V, ToolError>>,
    ) -> Result<V, ToolError> {
        let Self {
            permit,
            tool_permits,
            deadline,
        } = self;
        let running = async {
            let tool_permit = match tool_permits {
                // `acquire_owned` cannot fail, because the semaphore is never closed.
                Some(tool_permits) => tool_permits.acquire_owned().await.ok(),
                None => None,
            };
            run_handler(holding(handler, [permit, tool_permit])).await
        };
        let Some(deadline) = deadline else {
            return running.await;
        };
        let Some(outcome) = timeout(deadline.limit, &deadline.input_requests, running).await else {
            deadline.outcome.set(AuditOutcome::TimedOut);
            deadline.expiry.cancel();
            return Err(ToolError::public(format!(
                "it did not finish within {:?}; request less, or try again later",
                deadline.limit
            )));
        };
        outcome
    }
}

/// Returns the output of `running`, or `None` if `running` does not finish within `limit`. The time
/// that the handler waits for the client does not count.
async fn timeout<T>(
    limit: Duration,
    input_requests: &PendingInputRequests,
    running: impl Future<Output = T>,
) -> Option<T> {
    let started = Instant::now();
    let mut running = pin!(running);
    loop {
        let allowed = limit.saturating_add(input_requests.wait_time());
        let Some(until) = started.checked_add(allowed) else {
            // The deadline exceeds the range of `Instant`, so the call has no timeout.
            return Some(running.await);
        };
        // Limit how often the deadline is checked, even if very little time is left.
        let until = until.max(Instant::now() + MIN_CHECK_INTERVAL);
        if let Ok(outcome) = timeout_at(until, running.as_mut()).await {
            return Some(outcome);
        }
        if started.elapsed() >= limit.saturating_add(input_requests.wait_time()) {
            return None;
        }
    }
}

fn holding<V: Send + 'static>(
    handler: PreparedCall<Result<V, ToolError>>,
    permits: HeldPermits,
) -> PreparedCall<Result<V, ToolError>> {
    if permits.iter().all(Option::is_none) {
        return handler;
    }
    handler.holding(permits)
}
