use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::Span;

use super::Service;
use super::audit::Record;
use super::fate::Fate;
use crate::audit::AuditOutcome;
use crate::error::ToolError;
use crate::handler::Body;
use crate::registry::Common;

/// What a body gives.
pub(super) type Returned<V> = Result<V, ToolError>;

/// What a body is bounded by.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Of all calls that may run at the same time.
    pub(super) permit: Option<OwnedSemaphorePermit>,
    /// Permits of the tool, for which calls wait in their order.
    pub(super) slots: Option<Arc<Semaphore>>,
    /// How long it may wait and run.
    pub(super) timeout: Option<Duration>,
    pub(super) fate: Option<Fate>,
}

/// What a body holds while it runs, also where nobody waits for it any more.
type Held = [Option<OwnedSemaphorePermit>; 2];

impl Bounds {
    /// Those of the definition, and for what it does not say those of the server.
    pub(super) fn of(
        service: &Service,
        common: &Common,
        permit: Option<OwnedSemaphorePermit>,
        record: &mut Record,
    ) -> Self {
        let policy = common.policy;
        let timeout = policy.timeout.or(service.quotas.timeout);
        let slots = |most| service.quotas.slots(&common.name, most);
        Self {
            permit,
            slots: policy.max_concurrency.map(slots),
            timeout,
            fate: timeout.map(|_| record.fate()),
        }
    }

    /// The body within its bounds; one that has none stays as it is.
    pub(super) fn around<V: Send + 'static>(self, body: Body<Returned<V>>) -> Body<Returned<V>> {
        if self.timeout.is_some() {
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

    async fn waiting<V: Send + 'static>(self, body: Body<Returned<V>>) -> Returned<V> {
        let Self {
            permit,
            slots,
            timeout,
            fate,
        } = self;
        let running = async {
            let slot = match slots {
                // Nobody closes the semaphore, so there is a permit in the end.
                Some(slots) => slots.acquire_owned().await.ok(),
                None => None,
            };
            run(holding(body, [permit, slot])).await
        };
        let Some(limit) = timeout else {
            return running.await;
        };
        let Ok(outcome) = tokio::time::timeout(limit, running).await else {
            if let Some(fate) = fate {
                fate.is(AuditOutcome::TimedOut);
            }
            return Err(ToolError::public(format!(
                "it did not finish within {limit:?}; ask for less, or try again later"
            )));
        };
        outcome
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
    match body {
        Body::Inline(body) => Body::inline(move || {
            let _held = held;
            body()
        }),
        Body::Blocking(body) => Body::blocking(move || {
            let _held = held;
            body()
        }),
        Body::Future(body) => Body::future(async move {
            let _held = held;
            body.await
        }),
    }
}
