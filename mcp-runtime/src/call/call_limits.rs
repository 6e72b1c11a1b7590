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

/// The shortest time between two checks of the deadline.
const MIN_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// The concurrency limits and the timeout of a call.
#[derive(Debug)]
pub(super) struct CallLimits {
    /// The permit among all calls that may run at the same time.
    permit: Option<OwnedSemaphorePermit>,
    /// The permits of the tool, which calls acquire in order.
    tool_permits: Option<Arc<Semaphore>>,
    deadline: Option<Deadline>,
}

/// How long a handler may wait for a permit and run.
#[derive(Debug)]
struct Deadline {
    limit: Duration,
    outcome: CallOutcome,
    /// Signals to the handler that it has timed out.
    expiry: Cancellation,
    /// Measures the time that it waits for the client, which does not count.
    input_requests: Arc<PendingInputRequests>,
}

/// The permits that a handler holds while it runs, even after its call has ended.
type HeldPermits = [Option<OwnedSemaphorePermit>; 2];

impl CallLimits {
    /// Returns the limits of the definition, or of the server where the definition has none.
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

    /// Applies the limits to a handler; without limits it is returned unchanged.
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

    /// Runs a handler within the limits, after waiting for a permit of its tool.
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
                // The semaphore is never closed, so acquiring does not fail.
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

/// Returns the output of `running` if it finishes within `limit`, not counting the time
/// that it waits for the client.
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
            // The deadline is beyond the range of the clock.
            return Some(running.await);
        };
        // A response can arrive at any moment and leave little time.
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
