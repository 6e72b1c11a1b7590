use std::future::Future;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tracing::Span;

use super::Service;
use super::audit::Record;
use super::fate::Fate;
use crate::audit::AuditOutcome;
use crate::context::{Asking, Cancellation, RequestScope};
use crate::error::ToolError;
use crate::handler::Body;
use crate::registry::Common;

/// How often it is looked at most whether a question was answered.
const LEAST: Duration = Duration::from_millis(10);

/// What a body gives.
pub(super) type Returned<V> = Result<V, ToolError>;

/// What a body is bounded by.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Of all calls that may run at the same time.
    permit: Option<OwnedSemaphorePermit>,
    /// Permits of the tool, for which calls wait in their order.
    slots: Option<Arc<Semaphore>>,
    time: Option<Time>,
}

/// How long a body may wait and run.
#[derive(Debug)]
struct Time {
    limit: Duration,
    fate: Fate,
    /// Tells the body that it has taken too long.
    expiry: Cancellation,
    /// How long it waits for answers, which is not its own time.
    asking: Arc<Asking>,
}

/// What a body holds while it runs, also where nobody waits for it any more.
type Held = [Option<OwnedSemaphorePermit>; 2];

impl Bounds {
    /// Those of the definition, and for what it does not say those of the server.
    pub(super) fn of(
        service: &Service,
        common: &Common,
        scope: &RequestScope<'_>,
        permit: Option<OwnedSemaphorePermit>,
        record: &mut Record,
    ) -> Self {
        let policy = common.policy;
        let slots = |most| service.quotas.slots(&common.name, most);
        let time = |limit| Time {
            limit,
            fate: record.fate(),
            expiry: scope.expiry().clone(),
            asking: Arc::clone(scope.asking()),
        };
        Self {
            permit,
            slots: policy.max_concurrency.map(slots),
            time: policy.timeout.or(service.quotas.timeout).map(time),
        }
    }

    /// The body within its bounds; one that has none stays as it is.
    pub(super) fn around<V: Send + 'static>(self, body: Body<Returned<V>>) -> Body<Returned<V>> {
        if self.time.is_some() {
            return Body::future(self.waiting(body));
        }
        let Some(slots) = &self.slots else {
            return holding(body, [self.permit, None]);
        };
        match Arc::clone(slots).try_acquire_owned() {
            Ok(slot) => holding(body, [self.permit, Some(slot)]),
            Err(_) => Body::future(self.waiting(body)),
        }
    }

    /// The body, which comes by its slot when it is run.
    pub(super) async fn waiting<V: Send + 'static>(self, body: Body<Returned<V>>) -> Returned<V> {
        let Self {
            permit,
            slots,
            time,
        } = self;
        let running = async {
            let slot = match slots {
                // Nobody closes the semaphore, so there is a permit in the end.
                Some(slots) => slots.acquire_owned().await.ok(),
                None => None,
            };
            run(holding(body, [permit, slot])).await
        };
        let Some(time) = time else {
            return running.await;
        };
        let Some(outcome) = within(time.limit, &time.asking, running).await else {
            time.fate.is(AuditOutcome::TimedOut);
            time.expiry.cancel();
            return Err(ToolError::public(format!(
                "it did not finish within {:?}; ask for less, or try again later",
                time.limit
            )));
        };
        outcome
    }
}

/// What `running` gives, if it does within that time; while it waits for the
/// client to answer a question, the time stands still.
async fn within<T>(
    limit: Duration,
    asking: &Asking,
    running: impl Future<Output = T>,
) -> Option<T> {
    let started = Instant::now();
    let mut running = pin!(running);
    loop {
        let allowed = limit.saturating_add(asking.waited());
        let Some(until) = started.checked_add(allowed) else {
            // Longer than any clock tells.
            return Some(running.await);
        };
        // The answer may come at any moment, and little time be left after it.
        let until = until.max(Instant::now() + LEAST);
        if let Ok(outcome) = timeout_at(until, running.as_mut()).await {
            return Some(outcome);
        }
        if started.elapsed() >= limit.saturating_add(asking.waited()) {
            return None;
        }
    }
}

/// Runs a body to its end; one that blocks runs on tokio's blocking pool.
pub(super) async fn run<V: Send + 'static>(body: Body<Returned<V>>) -> Returned<V> {
    match body {
        Body::Inline(body) => body(),
        Body::Future(body) => body.await,
        Body::Blocking(body) => {
            let span = Span::current();
            let joined = tokio::task::spawn_blocking(move || span.in_scope(body)).await;
            joined.unwrap_or_else(|error| match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(ToolError::internal("the server is stopping")),
            })
        }
    }
}

fn holding<V: Send + 'static>(body: Body<Returned<V>>, held: Held) -> Body<Returned<V>> {
    if held.iter().all(Option::is_none) {
        return body;
    }
    body.holding(held)
}
