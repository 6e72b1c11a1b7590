use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::caller::Caller;
use super::event_queue::FIRST_CONNECTION;
use super::event_store::EventStore;
use super::event_stream::{EventStream, Resumption};
use super::headers::SessionId;
use super::options::HttpOptions;
use super::per_principal_limits::PerPrincipalLimits;
use super::sse::EventId;
use crate::context::ClientSink;
use crate::dispatch::Connection;
use crate::protocol::Revision;

/// A legacy session: all state of one client between requests.
#[derive(Debug)]
pub(super) struct HttpSession {
    pub(super) id: SessionId,
    /// Sends what belongs to no request through `server_stream`.
    pub(super) connection: Connection,
    store: Arc<EventStore<EventStream>>,
    server_stream: Arc<EventStream>,
    /// When it was last used, in milliseconds since `Sessions::started`.
    pub(super) last_used: AtomicU64,
}

impl HttpSession {
    /// Creates a session, which is stored only once its `initialize` has succeeded.
    ///
    /// Returns `None` if the system has no randomness for its id.
    pub(super) fn new(
        options: &HttpOptions,
        limits: &PerPrincipalLimits,
        caller: &Caller,
    ) -> Option<Self> {
        let store = EventStore::new(options.event_buffer);
        let server_stream = store.open_stream(|number| {
            let resumption = Resumption {
                store: Arc::clone(&store),
                number,
                retry: None,
            };
            EventStream::server_stream(resumption, options.event_buffer)
        });
        let sink: Arc<dyn ClientSink> = Arc::<EventStream>::clone(&server_stream);
        Some(Self {
            id: SessionId::random()?,
            connection: limits.connection(caller.principal.as_ref(), sink),
            store,
            server_stream,
            last_used: AtomicU64::new(0),
        })
    }

    pub(super) fn is_owned_by(&self, caller: &Caller) -> bool {
        self.connection_of(caller).owns_session()
    }

    /// The connection for a message of `caller`, who need not have opened the session.
    pub(super) fn connection_of(&self, caller: &Caller) -> Connection {
        let principal = caller.principal.as_ref();
        self.connection.with_optional_principal(principal)
    }

    /// Whether a call or a stream keeps the session from being idle.
    pub(super) fn is_busy(&self) -> bool {
        self.server_stream.is_connected() || self.connection.calls_in_flight() > 0
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

    /// Sends a message that belongs to no request.
    pub(super) fn send(&self, message: &[u8]) -> bool {
        self.server_stream.send(message)
    }

    /// Connects to the stream for messages that belong to no request.
    pub(super) fn connect(&self) -> (Arc<EventStream>, u64) {
        let connection = self.server_stream.connect(None);
        (Arc::clone(&self.server_stream), connection)
    }

    /// Resumes the stream of the event `last`, after that event
    /// (specification of 2025-11-25, *Resumability and Redelivery*).
    pub(super) fn resume(&self, last: EventId) -> (Arc<EventStream>, u64) {
        if let Some(stream) = self.store.stream(last.stream) {
            let connection = stream.connect(Some(last.sequence));
            return (stream, connection);
        }
        let stream = EventStream::replay(self.store.events_after(last));
        (Arc::new(stream), FIRST_CONNECTION)
    }

    /// Ends the stream for messages that belong to no request.
    pub(super) fn end_server_stream(&self) {
        self.server_stream.end();
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
