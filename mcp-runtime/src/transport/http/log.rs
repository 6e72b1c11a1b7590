use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use bytes::Bytes;

use super::event::EventId;
use super::stream::Stream;

/// The events of one session, kept for clients that come back, oldest first.
///
/// Bounded in bytes: the oldest events give way, whatever stream they are of. How
/// long an event is itself does not count, or a long answer would never be kept.
#[derive(Debug)]
pub(super) struct Log {
    limit: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Logged>,
    bytes: usize,
    /// Streams that somebody still writes to or reads from, by number.
    live: HashMap<u64, Weak<Stream>>,
    streams: u64,
}

#[derive(Debug)]
struct Logged {
    id: EventId,
    event: Bytes,
}

impl Log {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            state: Mutex::default(),
        })
    }

    /// Makes a stream with a number that no other stream of the session has.
    pub(super) fn begin(&self, make: impl FnOnce(u64) -> Stream) -> Arc<Stream> {
        let mut state = self.lock();
        let number = state.streams;
        state.streams += 1;
        let stream = Arc::new(make(number));
        state.live.insert(number, Arc::downgrade(&stream));
        stream
    }

    pub(super) fn append(&self, id: EventId, event: &Bytes) {
        let mut state = self.lock();
        state.bytes += event.len();
        let event = event.clone();
        state.events.push_back(Logged { id, event });
        while let Some(oldest) = state.events.front() {
            let newer = state.bytes - oldest.event.len();
            if newer < self.limit {
                break;
            }
            state.bytes = newer;
            state.events.pop_front();
        }
    }

    /// The events of one stream after the given one.
    pub(super) fn after(&self, id: EventId) -> VecDeque<Bytes> {
        let state = self.lock();
        let newer = state
            .events
            .iter()
            .filter(|logged| logged.id.stream == id.stream && logged.id.sequence > id.sequence);
        newer.map(|logged| logged.event.clone()).collect()
    }

    pub(super) fn end(&self, number: u64) {
        self.lock().live.remove(&number);
    }

    pub(super) fn live(&self, number: u64) -> Option<Arc<Stream>> {
        self.lock().live.get(&number)?.upgrade()
    }

    /// Ends every stream, since the session ends.
    pub(super) fn close(&self) {
        let live = std::mem::take(&mut self.lock().live);
        for stream in live.into_values().filter_map(|stream| stream.upgrade()) {
            stream.end();
        }
    }

    /// A panic cannot happen under the lock; if it did, the events would still be whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
