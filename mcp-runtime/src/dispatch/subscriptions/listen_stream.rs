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
    /// The subscribed URIs as the client wrote them, by their normalized form.
    resources: BTreeMap<String, String>,
    pub(in crate::dispatch) tasks: Vec<String>,
    /// The cancellation with which the server closes the stream.
    pub(in crate::dispatch) closing: Cancellation,
    state: Mutex<StreamState>,
}

#[derive(Debug)]
struct StreamState {
    lists: ListChangeTracker,
    /// Whether the server may send notifications, which is between the acknowledgement and the
    /// response.
    is_open: bool,
}

impl ListenStream {
    /// Creates a stream that sends no notifications before its acknowledgement.
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

    /// Sends the acknowledgement with the accepted filter, which must be the first message of the
    /// stream (specification of 2026-07-28, *Subscriptions*).
    pub(super) fn acknowledge(&self, filter: &SubscriptionFilter) {
        let mut state = self.state();
        self.sink
            .send(&codec::subscription_acknowledged(&self.id, filter));
        state.is_open = true;
    }

    /// Notifies the client of each list that has changed since its last notification.
    pub(super) fn list_changed(&self, registry: &Registry) {
        let mut state = self.state();
        // Take the snapshot while the lock is held. Otherwise, an older snapshot could replace a
        // newer snapshot.
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

    /// Stops all notifications of the stream, before the response or after a disconnect.
    pub(super) fn close(&self) {
        self.state().is_open = false;
    }

    fn state(&self) -> MutexGuard<'_, StreamState> {
        // If a transport panics while the lock is held, the state is still valid.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn by_normalized(uri: &str) -> (String, String) {
    (normalize(uri).into_owned(), uri.to_owned())
}
