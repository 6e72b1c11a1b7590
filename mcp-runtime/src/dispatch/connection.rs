use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::in_flight::{ClientWorkGuard, InFlight};
use super::session::Session;
use crate::auth::Principal;
use crate::context::{
    BackChannel, Cancellation, ClientProfile, ClientSink, LogThreshold, NullSink, RequestParts,
    TransportKind,
};
use crate::jsonrpc::{RequestId, Response};
use crate::protocol::{LoggingLevel, Revision};

/// The connection of a client, which a transport passes to the [`Dispatcher`](super::Dispatcher).
///
/// It contains the session of the client, its principal, and the sink for messages about the
/// current request. Clones share the session.
///
/// ```
/// use mcp_runtime::dispatch::Connection;
///
/// let connection = Connection::new();
/// assert_eq!(connection.revision(), None);
/// assert_eq!(connection.calls_in_flight(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Connection {
    session: Arc<Session>,
    sink: Arc<dyn ClientSink>,
    principal: Option<Arc<Principal>>,
}

/// A guard that keeps a request in flight until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard {
    connection: Connection,
    id: RequestId,
    serial: usize,
    _work: Option<ClientWorkGuard>,
}

impl Default for Connection {
    fn default() -> Self {
        Self::new()
    }
}

impl Connection {
    /// Creates a connection inside this process that can only deliver replies.
    #[must_use]
    pub fn new() -> Self {
        Self::with_sink(TransportKind::Memory, Arc::new(NullSink))
    }

    /// Creates a connection with a new session. `sink` delivers all messages except replies.
    #[must_use]
    pub fn with_sink(transport: TransportKind, sink: Arc<dyn ClientSink>) -> Self {
        Self::with_work_counter(transport, sink, Arc::default())
    }

    /// Creates a connection that counts its work in `active_work`, which all sessions of the client
    /// share.
    pub(crate) fn with_work_counter(
        transport: TransportKind,
        sink: Arc<dyn ClientSink>,
        active_work: Arc<AtomicUsize>,
    ) -> Self {
        let session = Session::new(transport, Arc::clone(&sink), active_work);
        Self {
            session: Arc::new(session),
            sink,
            principal: None,
        }
    }

    /// Returns a connection with the same session and `principal` as the caller.
    ///
    /// The first principal owns the session. The dispatcher rejects requests of other principals.
    #[must_use]
    pub fn with_principal(&self, principal: Arc<Principal>) -> Self {
        self.session.owner.get_or_init(|| principal.id.clone());
        Self {
            principal: Some(principal),
            ..self.clone()
        }
    }

    /// Returns a connection with the same session and `principal`, or an anonymous caller.
    pub(crate) fn with_optional_principal(&self, principal: Option<&Arc<Principal>>) -> Self {
        match principal {
            Some(principal) => self.with_principal(Arc::clone(principal)),
            None => Self {
                principal: None,
                ..self.clone()
            },
        }
    }

    /// Returns the authenticated caller, if the connection has one.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_deref()
    }

    pub(super) fn shared_principal(&self) -> Option<Arc<Principal>> {
        self.principal.clone()
    }

    /// Whether the session belongs to the caller.
    #[must_use]
    pub fn owns_session(&self) -> bool {
        let caller = self.principal().map(|principal| &principal.id);
        let owner = self.session.owner.get();
        owner.is_none() || owner == caller
    }

    /// Returns a connection with the same session and another sink for messages about a request.
    #[must_use]
    pub fn on_stream(&self, sink: Arc<dyn ClientSink>) -> Self {
        Self {
            session: Arc::clone(&self.session),
            sink,
            principal: self.principal.clone(),
        }
    }

    /// Sets the sink for messages that belong to no request, and sends the list changes that could
    /// not be sent before.
    pub fn set_notification_sink(&self, sink: Arc<dyn ClientSink>) {
        self.session.set_sink(sink);
    }

    /// Closes the listen streams of the client gracefully. A transport calls it after the client
    /// has closed its end of a pipe.
    pub fn close_listen_streams(&self) {
        self.closing().cancel();
    }

    /// Returns the protocol revision that the handshake negotiated, or `None` before the handshake.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.session.revision()
    }

    /// Returns the number of calls that are waiting or running.
    #[must_use]
    pub fn calls_in_flight(&self) -> usize {
        self.in_flight().len()
    }

    /// Cancels all calls. A transport calls it after the client has disconnected.
    pub fn cancel_all(&self) {
        self.in_flight().cancel_all();
        self.session.pending_requests.close();
    }

    /// Reports that the client will send no further messages. Calls continue, but a call that waits
    /// for a response of the client fails.
    pub fn close_input(&self) {
        self.session.pending_requests.close();
    }

    /// Returns the parts of a request. Sets the client profile in a legacy revision only, where the
    /// handshake provides it.
    pub(super) fn request_parts<'a>(
        &'a self,
        id: &'a RequestId,
        revision: Revision,
        meta: Option<&'a str>,
        log_level: Option<LoggingLevel>,
    ) -> RequestParts<'a> {
        let client = (!revision.is_modern()).then(|| self.session.client());
        let back_channel = BackChannel {
            sink: &self.sink,
            pending_requests: &self.session.pending_requests,
        };
        let transport = self.session.transport;
        let mut parts = RequestParts::new(id, revision, transport, client, meta, back_channel);
        parts.log_threshold = match revision.is_modern() {
            true => LogThreshold::Request(log_level),
            false => LogThreshold::Session(Arc::clone(self.session.log_level())),
        };
        parts.principal.clone_from(&self.principal);
        parts.in_flight = self.in_flight().active_work();
        parts
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    pub(super) fn in_flight(&self) -> &InFlight {
        &self.session.in_flight
    }

    /// Adds a request to the requests in flight. A long-lived request does not count as work.
    pub(super) fn start_request(
        &self,
        id: &RequestId,
        cancellation: &Cancellation,
        long_lived: bool,
    ) -> InFlightGuard {
        InFlightGuard {
            connection: self.clone(),
            id: id.clone(),
            serial: self.in_flight().insert(id.clone(), cancellation.clone()),
            _work: (!long_lived).then(|| self.in_flight().start_work()),
        }
    }

    /// Whether messages about a request can reach the client before the reply.
    pub(super) fn delivers_request_messages(&self) -> bool {
        self.sink.delivers()
    }

    /// Whether messages that belong to no request can reach the client.
    pub(super) fn delivers_session_messages(&self) -> bool {
        self.session.sink().delivers()
    }

    pub(super) fn set_log_level(&self, level: LoggingLevel) {
        let log_level = self.session.log_level();
        log_level.store(level as u8, Ordering::Relaxed);
    }

    pub(super) fn closing(&self) -> &Cancellation {
        self.session.closing.get_or_init(Cancellation::default)
    }

    /// Delivers the client's response to a server-to-client request.
    pub(super) fn handle_response(&self, response: Response<'_>) {
        self.session.pending_requests.deliver(response);
    }

    pub(super) fn negotiate(&self, revision: Revision, client: ClientProfile) {
        self.session.set_negotiated(revision, client);
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let in_flight = self.connection.in_flight();
        in_flight.remove(&self.id, self.serial);
    }
}
