use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::News;
use crate::codec;
use crate::context::{Cancellation, Outgoing};
use crate::jsonrpc::RequestId;
use crate::protocol::{SubscriptionFilter, Task};
use crate::registry::Registry;

/// A listen stream of 2026-07-28: one request, and what it is told until it ends.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) id: RequestId,
    pub(crate) outgoing: Arc<dyn Outgoing>,
    pub(crate) resources: Vec<String>,
    pub(crate) tasks: Vec<String>,
    /// Ends the stream from the server's side.
    pub(crate) ending: Cancellation,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    news: News,
    /// Whether the acknowledgement is sent, and the end is not.
    open: bool,
}

impl Stream {
    /// A stream that is told nothing before it is acknowledged.
    pub(super) fn new(
        id: RequestId,
        outgoing: Arc<dyn Outgoing>,
        honoured: &SubscriptionFilter,
        news: News,
    ) -> Self {
        Self {
            id,
            outgoing,
            resources: honoured.resource_subscriptions.clone(),
            tasks: honoured.task_ids.clone(),
            ending: Cancellation::default(),
            state: Mutex::new(State { news, open: false }),
        }
    }

    /// Tells what the stream will carry, which comes before anything else
    /// (specification of 2026-07-28, *Subscriptions*).
    pub(super) fn acknowledge(&self, honoured: &SubscriptionFilter) {
        let mut state = self.state();
        self.outgoing.send(&codec::acknowledged(&self.id, honoured));
        state.open = true;
    }

    /// As [`Session::tell_news`](crate::dispatch::session::Session::tell_news).
    pub(super) fn tell_news(&self, registry: &Registry) {
        let mut state = self.state();
        let (open, now) = (state.open, registry.snapshot());
        state.news.tell(Some(&now), |method| {
            open && self
                .outgoing
                .send(&codec::list_changed(method, Some(&self.id)))
        });
    }

    pub(super) fn tell_update(&self, uri: &str) {
        let state = self.state();
        if state.open && self.resources.iter().any(|wanted| wanted == uri) {
            self.outgoing
                .send(&codec::resource_updated(uri, Some(&self.id)));
        }
    }

    pub(crate) fn tell_task(&self, task: &Task) {
        let state = self.state();
        if state.open && self.tasks.contains(&task.task_id) {
            self.outgoing.send(&codec::task(task, &self.id));
        }
    }

    /// Nothing more is told: the reply follows, or nobody listens.
    pub(super) fn close(&self) {
        self.state().open = false;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A transport that panics under the lock leaves numbers and a flag.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
