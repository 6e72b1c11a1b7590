use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;

use super::sse::EventId;
use crate::limits::{CallerKey, Share, Shares};

/// The stored events and the open streams of one session, for clients that reconnect. `S` is the
/// type of a stream.
///
/// The store limits the bytes of all events and drops the oldest events first. An event is stored
/// even if it is longer than the limit, because a client must be able to resume a long response.
/// `budget` limits the events of all sessions together and of each caller.
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
    /// The streams that are still in use, by stream number.
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
    /// Drops the oldest event. Returns `false` if there is none.
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

    /// Returns the caller that owns the events.
    pub(super) fn caller(&self) -> Option<CallerKey> {
        self.caller
    }

    /// Creates a stream with a stream number that is unique in the session.
    pub(super) fn open_stream(&self, new: impl FnOnce(u64) -> S) -> Arc<S> {
        let mut state = self.lock();
        let number = state.next_stream;
        state.next_stream += 1;
        let stream = Arc::new(new(number));
        state.open.insert(number, Arc::downgrade(&stream));
        stream
    }

    /// Stores an event, and drops older events if the budget has no room. The event is discarded if
    /// dropping all older events is not enough.
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

    /// Returns the events that follow the event `id` on the same stream.
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

    /// Locks the state. Poisoning is ignored, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, EventStoreState<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
