use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::caller::Caller;
use super::event_queue::FIRST_CONNECTION;
use super::event_store::EventStore;
use super::event_stream::{EventStream, Resumption};
use super::headers::SessionId;
use super::options::HttpOptions;
use super::server_streams::ServerStreams;
use super::sse::EventId;
use crate::context::ClientSink;
use crate::dispatch::{Connection, Dispatcher};
use crate::limits::{CallerKey, Shares};
use crate::protocol::Revision;

/// A legacy session, which holds the state of one client between requests.
#[derive(Debug)]
pub(super) struct HttpSession {
    pub(super) id: SessionId,
    /// The connection for messages that do not belong to a request. It sends them through
    /// `server_streams`.
    pub(super) connection: Connection,
    store: Arc<EventStore<EventStream>>,
    server_streams: Arc<ServerStreams>,
    /// The time of the last use, in milliseconds since `Sessions::started`.
    pub(super) last_used: AtomicU64,
}

impl HttpSession {
    /// Creates a session. It is stored only after its `initialize` request has succeeded.
    ///
    /// Returns `None` if the operating system has no random numbers for the session id.
    pub(super) fn new(
        options: &HttpOptions,
        dispatcher: &Dispatcher,
        event_budget: Arc<Shares>,
        caller: &Caller,
    ) -> Option<Self> {
        let limit = options.event_buffer;
        let store = EventStore::new(limit, event_budget, caller.key);
        let server_streams = ServerStreams::new(&store, limit);
        let sink: Arc<dyn ClientSink> = Arc::<ServerStreams>::clone(&server_streams);
        Some(Self {
            id: SessionId::random()?,
            connection: caller.connection(dispatcher, sink),
            store,
            server_streams,
            last_used: AtomicU64::new(0),
        })
    }

    /// Returns the caller that opened the session.
    pub(super) fn caller(&self) -> Option<CallerKey> {
        self.store.caller()
    }

    pub(super) fn is_owned_by(&self, caller: &Caller) -> bool {
        self.connection_of(caller).owns_session()
    }

    /// Returns the connection for a message of `caller`, which may be a different caller than the
    /// one that opened the session.
    pub(super) fn connection_of(&self, caller: &Caller) -> Connection {
        let principal = caller.principal.as_ref();
        self.connection.with_optional_principal(principal)
    }

    /// Whether the session has a call in flight or a connected stream, and is therefore not idle.
    pub(super) fn is_busy(&self) -> bool {
        self.server_streams.is_connected() || self.connection.calls_in_flight() > 0
    }

    /// Opens a stream for the messages about one request.
    pub(super) fn open_stream(
        &self,
        options: &HttpOptions,
        accepts_events: bool,
    ) -> Arc<EventStream> {
        let revision = self.connection.revision();
        let resumes = revision.is_some_and(|it| it >= Revision::V2025_11_25);
        self.store.open_stream(|number| {
            let resumption = Resumption {
                store: Arc::clone(&self.store),
                number,
                retry: resumes.then_some(options.sse_retry),
            };
            EventStream::new(Some(resumption), options.event_buffer, accepts_events)
        })
    }

    /// Sends a message that does not belong to a request.
    pub(super) fn send(&self, message: &[u8]) -> bool {
        self.server_streams.send(message)
    }

    /// Connects a client to a stream for messages that do not belong to a request.
    pub(super) fn connect(&self) -> (Arc<EventStream>, u64) {
        self.server_streams.connect()
    }

    /// Resumes the stream of the event `last` after that event (specification of 2025-11-25,
    /// *Resumability and Redelivery*).
    ///
    /// Returns `None` if the event was never sent, or if the stream has ended and its later events
    /// were already sent or dropped. A stream that ends at once would only cause the client to
    /// reconnect.
    pub(super) fn resume(&self, last: EventId) -> Option<(Arc<EventStream>, u64)> {
        if let Some(stream) = self.store.stream(last.stream) {
            let connection = stream.resume(last.sequence)?;
            return Some((stream, connection));
        }
        let events = self.store.events_after(last);
        let stream = (!events.is_empty()).then(|| EventStream::replay(events))?;
        Some((Arc::new(stream), FIRST_CONNECTION))
    }

    /// Ends the streams for messages that do not belong to a request.
    pub(super) fn end_server_streams(&self) {
        self.server_streams.end();
    }

    /// Cancels every call and ends every stream.
    pub(super) fn end(&self) {
        self.connection.cancel_all();
        for stream in self.store.take_streams() {
            stream.end();
        }
    }

    pub(super) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }
}
