use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;

use super::sse::EventId;

/// The events and open streams (of type `S`) of one session, for clients that reconnect.
///
/// Bounded in bytes over all streams: the oldest events are dropped first. The length
/// of an event itself does not count, or a long response would never be stored.
#[derive(Debug)]
pub(super) struct EventStore<S> {
    limit: usize,
    state: Mutex<EventStoreState<S>>,
}

#[derive(Debug)]
struct EventStoreState<S> {
    events: VecDeque<StoredEvent>,
    bytes: usize,
    /// The streams that are still written or read, by number.
    open: HashMap<u64, Weak<S>>,
    next_stream: u64,
}

#[derive(Debug)]
struct StoredEvent {
    id: EventId,
    event: Bytes,
}

impl<S> EventStore<S> {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        let state = EventStoreState {
            events: VecDeque::new(),
            bytes: 0,
            open: HashMap::new(),
            next_stream: 0,
        };
        Arc::new(Self {
            limit,
            state: Mutex::new(state),
        })
    }

    /// Creates a stream with a number that is unique in the session.
    pub(super) fn open_stream(&self, new: impl FnOnce(u64) -> S) -> Arc<S> {
        let mut state = self.lock();
        let number = state.next_stream;
        state.next_stream += 1;
        let stream = Arc::new(new(number));
        state.open.insert(number, Arc::downgrade(&stream));
        stream
    }

    pub(super) fn append(&self, id: EventId, event: &Bytes) {
        let mut state = self.lock();
        state.bytes += event.len();
        let event = event.clone();
        state.events.push_back(StoredEvent { id, event });
        while let Some(oldest) = state.events.front() {
            let newer = state.bytes - oldest.event.len();
            if newer < self.limit {
                break;
            }
            state.bytes = newer;
            state.events.pop_front();
        }
    }

    /// Returns the events of the same stream after `id`.
    pub(super) fn events_after(&self, id: EventId) -> VecDeque<Bytes> {
        let state = self.lock();
        let newer = state
            .events
            .iter()
            .filter(|stored| stored.id.stream == id.stream && stored.id.sequence > id.sequence);
        newer.map(|stored| stored.event.clone()).collect()
    }

    pub(super) fn remove_stream(&self, number: u64) {
        self.lock().open.remove(&number);
    }

    pub(super) fn stream(&self, number: u64) -> Option<Arc<S>> {
        self.lock().open.get(&number)?.upgrade()
    }

    /// Removes and returns all open streams.
    pub(super) fn take_streams(&self) -> impl Iterator<Item = Arc<S>> + use<S> {
        let open = std::mem::take(&mut self.lock().open);
        open.into_values().filter_map(|stream| stream.upgrade())
    }

    /// Nothing panics under the lock, so a poisoned state is still consistent.
    fn lock(&self) -> MutexGuard<'_, EventStoreState<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
