use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event_store::EventStore;
use super::event_stream::{EventStream, Resumption};
use crate::context::ClientSink;

/// The streams of a session for messages that do not belong to a request.
///
/// A client may open several of these streams. The server sends each message on only one of them
/// (specification of 2025-11-25, *Multiple Connections*).
#[derive(Debug)]
pub(super) struct ServerStreams {
    store: Arc<EventStore<EventStream>>,
    /// The limit of the event queue of each stream, in bytes.
    queue_limit: usize,
    /// The streams in the order in which clients connected. The list always has at least one
    /// stream.
    streams: Mutex<Vec<Arc<EventStream>>>,
}

/// The maximum number of these streams per session. A further connection replaces the oldest one.
const MAX_STREAMS: usize = 8;

impl ServerStreams {
    /// Creates the list with one stream that has no connection.
    pub(super) fn new(store: &Arc<EventStore<EventStream>>, queue_limit: usize) -> Arc<Self> {
        let streams = Self {
            store: Arc::clone(store),
            queue_limit,
            streams: Mutex::default(),
        };
        let first = streams.open();
        *streams.lock() = vec![first];
        Arc::new(streams)
    }

    fn open(&self) -> Arc<EventStream> {
        self.store.open_stream(|number| {
            let resumption = Resumption {
                store: Arc::clone(&self.store),
                number,
                retry: None,
            };
            EventStream::server_stream(resumption, self.queue_limit)
        })
    }

    /// Connects a client to a stream that has no connection. Returns the stream and the number of
    /// the connection.
    pub(super) fn connect(&self) -> (Arc<EventStream>, u64) {
        let mut streams = self.lock();
        let free = streams.iter().rposition(|stream| !stream.is_connected());
        let stream = match free {
            Some(index) => streams.remove(index),
            None if streams.len() < MAX_STREAMS => self.open(),
            None => streams.remove(0),
        };
        let connection = stream.connect();
        streams.push(Arc::clone(&stream));
        (stream, connection)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().iter().any(|stream| stream.is_connected())
    }

    /// Ends all streams.
    pub(super) fn end(&self) {
        for stream in self.lock().iter() {
            stream.end();
        }
    }

    /// Returns the stream for the next message.
    fn newest(&self) -> Option<Arc<EventStream>> {
        let streams = self.lock();
        let connected = streams.iter().rev().find(|stream| stream.is_connected());
        connected.or(streams.last()).cloned()
    }

    /// Locks the list. Poisoning is ignored, because no code panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<EventStream>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientSink for ServerStreams {
    fn send(&self, message: &[u8]) -> bool {
        self.newest().is_some_and(|stream| stream.send(message))
    }

    fn delivers(&self) -> bool {
        true
    }
}
