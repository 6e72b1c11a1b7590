use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::duplex::{DuplexDispatcher, ServerMessage};
use super::error::ClientError;
use super::inbox::Inbox;
use super::link::Link;
use crate::context::Outstanding;
use crate::jsonrpc::{self, ErrorObject, Frame, Message, RequestId};
use crate::protocol::Revision;

/// Who said a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This end.
    Client,
    /// The other end.
    Server,
}

/// Sees every message, as its JSON text.
pub(super) type Watch = Box<dyn Fn(Side, &str) + Send + Sync>;

/// One conversation: which requests wait for what, on either side.
pub(super) struct Connection {
    duplex: Arc<DuplexDispatcher>,
    link: OnceLock<Box<dyn Link>>,
    watch: Option<Watch>,
    runtime: Handle,
    revision: AtomicU8,
    outstanding: Arc<Outstanding>,
    /// The requests of the server that are being handled.
    serving: Mutex<HashMap<RequestId, AbortHandle>>,
}

impl Connection {
    /// Must be called inside a tokio runtime, which handlers then run on.
    pub(super) fn new(duplex: Arc<DuplexDispatcher>, watch: Option<Watch>) -> Arc<Self> {
        Arc::new(Self {
            duplex,
            link: OnceLock::new(),
            watch,
            runtime: Handle::current(),
            revision: AtomicU8::new(0),
            outstanding: Arc::default(),
            serving: Mutex::default(),
        })
    }

    /// Gives the connection its way to the server; a second one is ignored.
    pub(super) fn connect(&self, link: Box<dyn Link>) {
        let _ = self.link.set(link);
    }

    /// Where the transport brings what the server says.
    pub(super) fn inbox(self: &Arc<Self>) -> Inbox {
        Inbox::of(self)
    }

    pub(super) fn duplex(&self) -> &DuplexDispatcher {
        &self.duplex
    }

    pub(super) fn speak(&self, revision: Revision) {
        self.revision.store(revision as u8, Ordering::Release);
        if let Some(link) = self.link.get() {
            link.speak(revision);
        }
    }

    /// How the messages get to the server, once there is a way.
    pub(super) fn link(&self) -> Result<&dyn Link, ClientError> {
        let link = self.link.get().ok_or(ClientError::Disconnected)?;
        Ok(link.as_ref())
    }

    pub(super) fn send(&self, message: &Value) -> Result<(), ClientError> {
        let sent = self.send_bytes(message.to_string().as_bytes());
        sent.then_some(()).ok_or(ClientError::Disconnected)
    }

    /// Sends a message and waits until the server has it, where that can be known.
    pub(super) async fn tell(&self, message: &Value, timeout: Duration) -> Result<(), ClientError> {
        let message = message.to_string();
        self.watched(Side::Client, message.as_bytes());
        let carried = self.link()?.carry(message.as_bytes());
        let carried = tokio::time::timeout(timeout, carried).await;
        carried.map_err(|_| ClientError::TimedOut(timeout))?
    }

    fn send_bytes(&self, message: &[u8]) -> bool {
        self.watched(Side::Client, message);
        self.link.get().is_some_and(|link| link.send(message))
    }

    /// Sends a request and waits for its answer.
    ///
    /// Dropping the future, as a timeout does, tells the server that nobody waits.
    pub(super) async fn request(
        self: &Arc<Self>,
        method: &str,
        params: impl FnOnce(i64) -> Value,
        timeout: Duration,
    ) -> Result<Box<RawValue>, ClientError> {
        let connection = Arc::downgrade(self);
        // The handshake must not be cancelled (specification, *Cancellation*).
        let cancellable = method != "initialize";
        let abandon = move |id: i64| {
            if let (Some(connection), true) = (connection.upgrade(), cancellable) {
                connection.abandon(id);
            }
        };
        let mut waiting = self
            .outstanding
            .open(abandon)
            .ok_or(ClientError::Disconnected)?;
        let (id, params) = (waiting.id, params(waiting.id));
        let mut message = notification(method, params);
        message["id"] = json!(id);
        let message = message.to_string();
        self.watched(Side::Client, message.as_bytes());
        let carried = self.link()?.carry(message.as_bytes());
        let answered = async {
            tokio::select! {
                biased;
                answer = waiting.answer() => answer.ok_or(ClientError::Disconnected),
                Err(error) = carried => {
                    // The server knows nothing of it, or has ended it.
                    self.outstanding.forget(id);
                    Err(error)
                }
            }
        };
        match tokio::time::timeout(timeout, answered).await {
            Ok(answer) => answer?.map_err(ClientError::Protocol),
            Err(_) => Err(ClientError::TimedOut(timeout)),
        }
    }

    fn abandon(&self, id: i64) {
        if self
            .link
            .get()
            .is_some_and(|link| link.tells_of_cancellation())
        {
            return;
        }
        let params = json!({ "requestId": id });
        // A server that is gone has stopped anyway.
        let _ = self.send(&notification("notifications/cancelled", params));
    }

    /// The server will say nothing more.
    pub(super) fn end(&self) {
        self.outstanding.close();
    }

    fn watched(&self, side: Side, message: &[u8]) {
        if let Some(watch) = &self.watch {
            watch(side, &String::from_utf8_lossy(message));
        }
    }

    /// Takes one frame of the server; what cannot be understood is logged.
    ///
    /// It may come on a thread of no runtime, which handlers know nothing of.
    pub(super) fn receive(self: &Arc<Self>, frame: &[u8]) {
        let _inside = self.runtime.enter();
        alone(|| self.watched(Side::Server, frame));
        match Frame::parse(frame) {
            Frame::Single(message) => self.take(message.map_err(|malformed| malformed.error)),
            Frame::Batch(elements) => {
                for element in elements {
                    let message = Message::parse(element.get());
                    self.take(message.map_err(|malformed| malformed.error));
                }
            }
        }
    }

    fn take(self: &Arc<Self>, message: Result<Message<'_>, ErrorObject>) {
        match message {
            Ok(Message::Response(response)) => self.outstanding.answer(response),
            Ok(Message::Request(request)) => self.serve(ServerMessage {
                id: Some(request.id),
                method: request.method.into_owned(),
                params: request.params.map(ToOwned::to_owned),
            }),
            Ok(Message::Notification(notification)) => self.notified(ServerMessage {
                id: None,
                method: notification.method.into_owned(),
                params: notification.params.map(ToOwned::to_owned),
            }),
            Err(error) => tracing::warn!(%error, "the server sent what is no message"),
        }
    }

    /// Handles a request of the server beside everything else.
    fn serve(self: &Arc<Self>, message: ServerMessage) {
        if Revision::from_u8(self.revision.load(Ordering::Acquire)).is_some_and(Revision::is_modern)
        {
            // A client must not send responses in 2026-07-28, so there is nothing to do.
            return tracing::warn!(method = message.method, "the server must not send requests");
        }
        let Some(id) = message.id.clone() else {
            return;
        };
        let (connection, duplex, answered) =
            (Arc::downgrade(self), Arc::clone(&self.duplex), id.clone());
        let handled = self
            .runtime
            .spawn(async move { duplex.dispatch(message).await });
        self.serving().insert(id, handled.abort_handle());
        self.runtime.spawn(async move {
            let outcome = handled.await;
            let Some(connection) = connection.upgrade() else {
                return;
            };
            connection.serving().remove(&answered);
            let outcome = match outcome {
                Ok(Ok(result)) => Ok(result.unwrap_or_else(|| json!({}))),
                Ok(Err(error)) => Err(error.answer),
                // The server cancelled it and wants no answer.
                Err(ended) if ended.is_cancelled() => return,
                Err(_) => Err(ErrorObject::internal()),
            };
            connection.answer(&answered, &outcome);
        });
    }

    fn answer(&self, id: &RequestId, outcome: &Result<Value, ErrorObject>) {
        let mut reply = Vec::new();
        match outcome {
            Ok(result) => jsonrpc::write_result(&mut reply, id, |out| {
                // A value always serializes.
                let _ = serde_json::to_writer(out, result);
            }),
            Err(error) => jsonrpc::write_error(&mut reply, Some(id), error),
        }
        self.send_bytes(&reply);
    }

    /// Notifications keep their order as long as the handler does not wait.
    fn notified(&self, message: ServerMessage) {
        if message.method == "notifications/cancelled" {
            self.cancelled(message.params.as_deref());
        }
        let (duplex, method) = (Arc::clone(&self.duplex), message.method.clone());
        let mut handled = Box::pin(async move {
            if let Err(error) = duplex.dispatch(message).await {
                tracing::warn!(method, %error, "a notification was not handled");
            }
        });
        alone(|| {
            if poll_once(handled.as_mut()).is_pending() {
                self.runtime.spawn(handled);
            }
        });
    }

    fn cancelled(&self, params: Option<&RawValue>) {
        let params: Option<Value> = params.and_then(|it| serde_json::from_str(it.get()).ok());
        let id = params.and_then(|params| RequestId::from_json(&params["requestId"].to_string()));
        if let Some(handled) = id.and_then(|id| self.serving().remove(&id)) {
            handled.abort();
        }
    }

    /// No foreign code runs under the lock, so the map is always whole.
    fn serving(&self) -> MutexGuard<'_, HashMap<RequestId, AbortHandle>> {
        self.serving
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connection")
            .field("link", &self.link)
            .field("outstanding", &self.outstanding)
            .finish_non_exhaustive()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        for (_, handled) in self.serving().drain() {
            handled.abort();
        }
    }
}

/// A message that wants no answer. `params` are an object or not there at all:
/// JSON-RPC knows no `null` in their place.
pub(super) fn notification(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

/// Runs what is the user's: who reads on for everybody outlives its panic.
fn alone(run: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        tracing::error!("a handler of the client panicked");
    }
}

fn poll_once(future: Pin<&mut (dyn Future<Output = ()> + Send)>) -> Poll<()> {
    future.poll(&mut TaskContext::from_waker(Waker::noop()))
}
