use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;

use super::sse::EventId;
use crate::limits::{CallerKey, Share, Shares};

/// The events and open streams (of type `S`) of one session, for clients that reconnect.
///
/// Bounded in bytes over all streams: the oldest events are dropped first. The length
/// of an event itself does not count, or a long response would never be stored. All
/// sessions together are bounded by `budget`, of which a caller gets a share.
#[derive(Debug)]
pub(super) struct EventStore<S> {
    limit: usize,
    budget: Arc<Shares>,
    caller: Option<CallerKey>,
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
    _share: Share,
}

impl<S> EventStoreState<S> {
    /// Drops the oldest event; returns whether there was one.
    fn drop_oldest(&mut self) -> bool {
        let oldest = self.events.pop_front();
        self.bytes -= oldest.as_ref().map_or(0, |oldest| oldest.event.len());
        oldest.is_some()
    }
}

impl<S> EventStore<S> {
    pub(super) fn new(limit: usize, budget: Arc<Shares>, caller: Option<CallerKey>) -> Arc<Self> {
        let state = EventStoreState {
            events: VecDeque::new(),
            bytes: 0,
            open: HashMap::new(),
            next_stream: 0,
        };
        Arc::new(Self {
            limit,
            budget,
            caller,
            state: Mutex::new(state),
        })
    }

    /// Whose events they are.
    pub(super) fn caller(&self) -> Option<CallerKey> {
        self.caller
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

    /// Stores an event, unless not even dropping all older ones makes room in the budget.
    pub(super) fn append(&self, id: EventId, event: &Bytes) {
        let mut state = self.lock();
        let share = loop {
            match self.budget.acquire(self.caller, event.len()) {
                Some(share) => break share,
                None if state.drop_oldest() => {}
                None => return,
            }
        };
        state.bytes += event.len();
        state.events.push_back(StoredEvent {
            id,
            event: event.clone(),
            _share: share,
        });
        while let Some(oldest) = state.events.front()
            && state.bytes - oldest.event.len() >= self.limit
        {
            state.drop_oldest();
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
