use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::duplex::{DuplexDispatcher, ServerMessage};
use super::error::ClientError;
use super::message::{notification, response};
use super::running_handlers::RunningHandlers;
use super::transport::ClientTransport;
use crate::context::PendingRequests;
use crate::jsonrpc::{ErrorObject, Frame, Message, RequestId};
use crate::protocol::Revision;

/// The direction of a message, see [`ClientBuilder::on_message`](super::ClientBuilder::on_message).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From this client to the server.
    ToServer,
    /// From the server to this client.
    ToClient,
}

/// Observes every message, as JSON text.
pub(super) type MessageObserver = Box<dyn Fn(Direction, &str) + Send + Sync>;

/// The client's end of a connection: matches responses with requests, and runs the
/// handlers of what the server sends.
pub(super) struct ClientConnection {
    duplex: Arc<DuplexDispatcher>,
    transport: OnceLock<Box<dyn ClientTransport>>,
    observer: Option<MessageObserver>,
    runtime: Handle,
    revision: AtomicU8,
    pending_requests: Arc<PendingRequests>,
    running_handlers: RunningHandlers,
}

impl ClientConnection {
    /// Must be called inside a tokio runtime, which then runs the handlers.
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
        })
    }

    /// Sets the transport; a second one is ignored.
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

    /// Sends a message and waits until it is delivered, if the transport knows that.
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

    fn send_bytes(&self, message: &[u8]) -> bool {
        self.observe(Direction::ToServer, message);
        let transport = self.transport.get();
        transport.is_some_and(|transport| transport.send(message))
    }

    /// Sends a request and waits for its response.
    ///
    /// Dropping the future, as a timeout does, cancels the request at the server.
    pub(super) async fn request(
        self: &Arc<Self>,
        method: &str,
        params: impl FnOnce(i64) -> Value,
        timeout: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let connection = Arc::downgrade(self);
        // The handshake must not be cancelled (specification, *Cancellation*).
        let cancellable = method != "initialize";
        let cancel = move |id: i64| {
            if let (Some(connection), true) = (connection.upgrade(), cancellable) {
                connection.cancel(id);
            }
        };
        let mut pending = self
            .pending_requests
            .open(cancel)
            .ok_or(ClientError::Disconnected)?;
        let (id, params) = (pending.id, params(pending.id));
        let mut message = notification(method, params);
        message["id"] = json!(id);
        let message = message.to_string();
        self.observe(Direction::ToServer, message.as_bytes());
        let sent = self.transport()?.send_and_wait(message.as_bytes());
        let response = async {
            tokio::select! {
                biased;
                response = pending.response() => response.ok_or(ClientError::Disconnected),
                Err(error) = sent => {
                    // The server has not received the request or has ended it, so
                    // there is nothing to cancel.
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
        // If the server has disconnected, it has stopped anyway.
        let _ = self.send(&notification("notifications/cancelled", params));
    }

    /// Fails all pending requests, after the server has disconnected.
    pub(super) fn close(&self) {
        self.pending_requests.close();
    }

    fn observe(&self, direction: Direction, message: &[u8]) {
        if let Some(observer) = &self.observer {
            observer(direction, &String::from_utf8_lossy(message));
        }
    }

    /// Handles one frame of the server; an invalid one is logged.
    ///
    /// May be called outside a runtime; handlers still run inside that of the client.
    pub(super) fn receive(self: &Arc<Self>, frame: &[u8]) {
        let _inside = self.runtime.enter();
        log_panic(|| self.observe(Direction::ToClient, frame));
        match Frame::parse(frame) {
            Frame::Single(message) => self.handle(message.map_err(|malformed| malformed.error)),
            Frame::Batch(elements) => {
                for element in elements {
                    let message = Message::parse(element.get());
                    self.handle(message.map_err(|malformed| malformed.error));
                }
            }
        }
    }

    fn handle(self: &Arc<Self>, message: Result<Message<'_>, ErrorObject>) {
        match message {
            Ok(Message::Response(response)) => self.pending_requests.deliver(response),
            Ok(Message::Request(request)) => self.handle_request(ServerMessage {
                id: Some(request.id),
                method: request.method.into_owned(),
                params: request.params.map(ToOwned::to_owned),
            }),
            Ok(Message::Notification(notification)) => self.handle_notification(ServerMessage {
                id: None,
                method: notification.method.into_owned(),
                params: notification.params.map(ToOwned::to_owned),
            }),
            Err(error) => tracing::warn!(%error, "the server sent an invalid message"),
        }
    }

    /// Handles a request of the server in a task.
    fn handle_request(self: &Arc<Self>, message: ServerMessage) {
        if Revision::from_u8(self.revision.load(Ordering::Acquire)).is_some_and(Revision::is_modern)
        {
            // A client must not send responses in 2026-07-28, so the request is ignored.
            return tracing::warn!(method = message.method, "the server must not send requests");
        }
        let Some(id) = message.id.clone() else {
            return;
        };
        let (connection, duplex) = (Arc::downgrade(self), Arc::clone(&self.duplex));
        let handler = self
            .runtime
            .spawn(async move { duplex.dispatch(message).await });
        self.running_handlers
            .insert(id.clone(), handler.abort_handle());
        self.runtime.spawn(async move {
            let outcome = handler.await;
            let Some(connection) = connection.upgrade() else {
                return;
            };
            connection.running_handlers.remove(&id);
            let outcome = match outcome {
                Ok(Ok(result)) => Ok(result.unwrap_or_else(|| json!({}))),
                Ok(Err(error)) => Err(error.response),
                // The server cancelled the request, which then has no response.
                Err(aborted) if aborted.is_cancelled() => return,
                Err(_) => Err(ErrorObject::internal()),
            };
            connection.send_bytes(&response(&id, &outcome));
        });
    }

    /// Handles a notification; the order is kept unless a handler awaits something.
    fn handle_notification(&self, message: ServerMessage) {
        if message.method == "notifications/cancelled" {
            self.handle_cancellation(message.params.as_deref());
        }
        let (duplex, method) = (Arc::clone(&self.duplex), message.method.clone());
        let mut handler = Box::pin(async move {
            if let Err(error) = duplex.dispatch(message).await {
                tracing::warn!(method, %error, "the handler of a notification failed");
            }
        });
        log_panic(|| {
            if poll_once(handler.as_mut()).is_pending() {
                self.runtime.spawn(handler);
            }
        });
    }

    fn handle_cancellation(&self, params: Option<&RawValue>) {
        let params: Option<Value> = params.and_then(|it| serde_json::from_str(it.get()).ok());
        let id = params.and_then(|params| RequestId::from_json(&params["requestId"].to_string()));
        if let Some(id) = id {
            self.running_handlers.cancel(&id);
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

/// Calls user code and logs its panic, so that the thread that reads continues.
fn log_panic(call: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(call)).is_err() {
        tracing::error!("a handler of the client panicked");
    }
}

fn poll_once(future: Pin<&mut (dyn Future<Output = ()> + Send)>) -> Poll<()> {
    future.poll(&mut TaskContext::from_waker(Waker::noop()))
}
