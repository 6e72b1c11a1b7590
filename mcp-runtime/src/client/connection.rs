use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::budget::{MAX_MESSAGE_BYTES, MessageBudget};
use super::duplex::DuplexDispatcher;
use super::error::ClientError;
use super::message::notification;
use super::running_handlers::RunningHandlers;
use super::transport::ClientTransport;
use crate::context::PendingRequests;
use crate::protocol::Revision;

/// The direction of a message that [`ClientBuilder::on_message`](super::ClientBuilder::on_message)
/// reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The client sent the message to the server.
    ToServer,
    /// The server sent the message to the client.
    ToClient,
}

/// A function that receives the direction and JSON text of every message.
pub(super) type MessageObserver = Box<dyn Fn(Direction, &str) + Send + Sync>;

/// The maximum number of server requests and notifications that the client handles concurrently.
const MAX_HANDLED_MESSAGES: usize = 256;

/// The client side of a connection, which matches responses to requests and runs the handlers of
/// server messages.
pub(super) struct ClientConnection {
    pub(super) duplex: Arc<DuplexDispatcher>,
    transport: OnceLock<Box<dyn ClientTransport>>,
    observer: Option<MessageObserver>,
    pub(super) runtime: Handle,
    pub(super) revision: AtomicU8,
    pub(super) pending_requests: Arc<PendingRequests>,
    pub(super) running_handlers: RunningHandlers,
    /// The budget of the messages that handlers are processing.
    pub(super) handled: MessageBudget,
    /// Whether the server sent a message that is too long.
    has_long_message: AtomicBool,
}

impl ClientConnection {
    /// Creates a connection. Call it inside a tokio runtime, which then runs the handlers.
    pub(super) fn new(
        duplex: Arc<DuplexDispatcher>,
        observer: Option<MessageObserver>,
    ) -> Arc<Self> {
        Arc::new(Self {
            duplex,
            transport: OnceLock::new(),
            observer,
            runtime: Handle::current(),
            revision: AtomicU8::new(0),
            pending_requests: Arc::default(),
            running_handlers: RunningHandlers::default(),
            handled: MessageBudget::new(MAX_HANDLED_MESSAGES),
            has_long_message: AtomicBool::new(false),
        })
    }

    /// Sets the transport. Ignores a second transport.
    pub(super) fn set_transport(&self, transport: Box<dyn ClientTransport>) {
        let _ = self.transport.set(transport);
    }

    pub(super) fn duplex(&self) -> &DuplexDispatcher {
        &self.duplex
    }

    pub(super) fn set_revision(&self, revision: Revision) {
        self.revision.store(revision as u8, Ordering::Release);
        if let Some(transport) = self.transport.get() {
            transport.set_revision(revision);
        }
    }

    pub(super) fn transport(&self) -> Result<&dyn ClientTransport, ClientError> {
        let transport = self.transport.get().ok_or(ClientError::Disconnected)?;
        Ok(transport.as_ref())
    }

    pub(super) fn send(&self, message: &Value) -> Result<(), ClientError> {
        let sent = self.send_bytes(message.to_string().as_bytes());
        sent.then_some(()).ok_or(ClientError::Disconnected)
    }

    /// Sends a message and waits until the transport has delivered or queued it.
    pub(super) async fn send_and_wait(
        &self,
        message: &Value,
        timeout: Duration,
    ) -> Result<(), ClientError> {
        let message = message.to_string();
        self.observe(Direction::ToServer, message.as_bytes());
        let sent = self.transport()?.send_and_wait(message.as_bytes());
        let sent = tokio::time::timeout(timeout, sent).await;
        sent.map_err(|_| ClientError::TimedOut(timeout))?
    }

    pub(super) fn send_bytes(&self, message: &[u8]) -> bool {
        self.observe(Direction::ToServer, message);
        let transport = self.transport.get();
        transport.is_some_and(|transport| transport.send(message))
    }

    /// Sends a request and waits for its response.
    ///
    /// Dropping the future cancels the request at the server. A timeout also drops the future.
    pub(super) async fn request(
        self: &Arc<Self>,
        method: &str,
        params: impl FnOnce(i64) -> Value,
        timeout: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let connection = Arc::downgrade(self);
        // A client must not cancel the handshake (specification, *Cancellation*).
        let cancellable = method != "initialize";
        let cancel = move |id: i64| {
            if let (Some(connection), true) = (connection.upgrade(), cancellable) {
                connection.cancel(id);
            }
        };
        let mut pending = self
            .pending_requests
            .open(cancel)
            .ok_or_else(|| self.disconnected())?;
        let (id, params) = (pending.id, params(pending.id));
        let mut message = notification(method, params);
        message["id"] = json!(id);
        let message = message.to_string();
        self.observe(Direction::ToServer, message.as_bytes());
        let sent = self.transport()?.send_and_wait(message.as_bytes());
        let response = async {
            tokio::select! {
                biased;
                response = pending.response() => response.ok_or_else(|| self.disconnected()),
                Err(error) = sent => {
                    // The server has not received the request or has already ended it, so the
                    // client need not cancel it.
                    self.pending_requests.forget(id);
                    Err(error)
                }
            }
        };
        match tokio::time::timeout(timeout, response).await {
            Ok(response) => response?.map_err(ClientError::Protocol),
            Err(_) => Err(ClientError::TimedOut(timeout)),
        }
    }

    fn cancel(&self, id: i64) {
        let transport = self.transport.get();
        if transport.is_some_and(|transport| transport.cancels_on_drop()) {
            return;
        }
        let params = json!({ "requestId": id });
        // Sending fails only if the server has disconnected, which also ends the request.
        let _ = self.send(&notification("notifications/cancelled", params));
    }

    /// Fails all pending requests after the server has disconnected.
    pub(super) fn close(&self) {
        self.pending_requests.close();
    }

    /// Fails all pending requests after the server has sent a message that is too long.
    pub(super) fn close_after_long_message(&self) {
        tracing::warn!("the server sent a message of more than {MAX_MESSAGE_BYTES} bytes");
        self.has_long_message.store(true, Ordering::Release);
        self.close();
    }

    fn disconnected(&self) -> ClientError {
        match self.has_long_message.load(Ordering::Acquire) {
            true => ClientError::MessageTooLong {
                limit: MAX_MESSAGE_BYTES,
            },
            false => ClientError::Disconnected,
        }
    }

    pub(super) fn observe(&self, direction: Direction, message: &[u8]) {
        if let Some(observer) = &self.observer {
            observer(direction, &String::from_utf8_lossy(message));
        }
    }
}

impl fmt::Debug for ClientConnection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ClientConnection")
            .field("transport", &self.transport)
            .field("pending_requests", &self.pending_requests)
            .finish_non_exhaustive()
    }
}
