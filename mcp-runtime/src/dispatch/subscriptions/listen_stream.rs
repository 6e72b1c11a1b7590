use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::list_changes::ListChangeTracker;
use crate::codec;
use crate::context::{Cancellation, ClientSink};
use crate::jsonrpc::RequestId;
use crate::protocol::{SubscriptionFilter, Task};
use crate::registry::Registry;
use crate::uri_template::normalize;

/// The stream of notifications that a `subscriptions/listen` request opens (2026-07-28).
#[derive(Debug)]
pub(crate) struct ListenStream {
    pub(in crate::dispatch) id: RequestId,
    sink: Arc<dyn ClientSink>,
    /// The URIs as the client wrote them, by their normalized form.
    resources: BTreeMap<String, String>,
    pub(in crate::dispatch) tasks: Vec<String>,
    /// Closes the stream from the server's side.
    pub(in crate::dispatch) closing: Cancellation,
    state: Mutex<StreamState>,
}

#[derive(Debug)]
struct StreamState {
    lists: ListChangeTracker,
    /// Whether the acknowledgement is sent, and the response to the request is not.
    is_open: bool,
}

impl ListenStream {
    /// A stream that sends nothing before it is acknowledged.
    pub(super) fn new(
        id: RequestId,
        sink: Arc<dyn ClientSink>,
        filter: &SubscriptionFilter,
        lists: ListChangeTracker,
    ) -> Self {
        let is_open = false;
        Self {
            id,
            sink,
            resources: filter
                .resource_subscriptions
                .iter()
                .map(|uri| by_normalized(uri))
                .collect(),
            tasks: filter.task_ids.clone(),
            closing: Cancellation::default(),
            state: Mutex::new(StreamState { lists, is_open }),
        }
    }

    /// Sends what the stream will carry, which must be its first message
    /// (specification of 2026-07-28, *Subscriptions*).
    pub(super) fn acknowledge(&self, filter: &SubscriptionFilter) {
        let mut state = self.state();
        self.sink
            .send(&codec::subscription_acknowledged(&self.id, filter));
        state.is_open = true;
    }

    /// Notifies the client of lists that changed since it was last notified.
    pub(super) fn list_changed(&self, registry: &Registry) {
        let mut state = self.state();
        // The snapshot is taken while the lock is held, so that none replaces a newer one.
        let (is_open, current) = (state.is_open, registry.snapshot());
        state.lists.notify(Some(&current), |method| {
            let message = || codec::list_changed(method, Some(&self.id));
            is_open && self.sink.send(&message())
        });
    }

    pub(super) fn resource_updated(&self, normalized_uri: &str) {
        let state = self.state();
        let subscribed = self.resources.get(normalized_uri);
        if let Some(uri) = subscribed.filter(|_| state.is_open) {
            let message = codec::resource_updated(uri, Some(&self.id));
            self.sink.send(&message);
        }
    }

    pub(in crate::dispatch) fn notify_task(&self, task: &Task) {
        let state = self.state();
        if state.is_open && self.tasks.contains(&task.task_id) {
            self.sink.send(&codec::task(task, &self.id));
        }
    }

    /// Stops all notifications: the response follows, or the client is gone.
    pub(super) fn close(&self) {
        self.state().is_open = false;
    }

    fn state(&self) -> MutexGuard<'_, StreamState> {
        // A transport that panics while the lock is held leaves a valid state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn by_normalized(uri: &str) -> (String, String) {
    (normalize(uri).into_owned(), uri.to_owned())
}
