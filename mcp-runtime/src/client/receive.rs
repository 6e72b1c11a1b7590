//! Processing of responses, requests and notifications from the server.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::connection::{ClientConnection, Direction};
use super::duplex::ServerMessage;
use super::message::response;
use crate::jsonrpc::{ErrorCode, ErrorObject, Frame, Message, RequestId};
use crate::protocol::Revision;

/// How long the server may take to accept a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

impl ClientConnection {
    /// Handles one frame from the server. Logs an invalid frame.
    ///
    /// Transports may call it outside a tokio runtime. Handlers run in the runtime of the client.
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

    /// Handles a request of the server in a tokio task. Rejects the request if too many messages
    /// are being handled.
    fn handle_request(self: &Arc<Self>, message: ServerMessage) {
        if Revision::from_u8(self.revision.load(Ordering::Acquire)).is_some_and(Revision::is_modern)
        {
            // In protocol version 2026-07-28 a client must not send responses, so it ignores the
            // request.
            return tracing::warn!(method = message.method, "the server must not send requests");
        }
        let Some(id) = message.id.clone() else {
            return;
        };
        let Some(permit) = self.handled.try_reserve(length(&message)) else {
            tracing::warn!(
                method = message.method,
                "the server sends too many requests"
            );
            let busy = ErrorObject::new(ErrorCode::INTERNAL_ERROR, "too many requests in progress");
            self.send_bytes(&response(&id, &Err(busy)));
            return;
        };
        let (connection, duplex) = (Arc::downgrade(self), Arc::clone(&self.duplex));
        let dispatch = async move { duplex.dispatch(message).await };
        let spawn = || self.runtime.spawn(dispatch);
        let Some(handler) = self.running_handlers.start(&id, spawn) else {
            return tracing::warn!("the server sent a request with an id that is in use");
        };
        self.runtime.spawn(async move {
            // Hold the permit until the response is delivered.
            let _permit = permit;
            let outcome = handler.await;
            let Some(connection) = connection.upgrade() else {
                return;
            };
            connection.running_handlers.remove(&id);
            let outcome = match outcome {
                Ok(Ok(result)) => Ok(result.unwrap_or_else(|| json!({}))),
                Ok(Err(error)) => Err(error.response),
                // The server cancelled the request, so the client sends no response.
                Err(aborted) if aborted.is_cancelled() => return,
                Err(_) => Err(ErrorObject::internal()),
            };
            connection.respond(&response(&id, &outcome)).await;
        });
    }

    async fn respond(&self, response: &[u8]) {
        self.observe(Direction::ToServer, response);
        let Ok(transport) = self.transport() else {
            return;
        };
        let sent = tokio::time::timeout(RESPONSE_TIMEOUT, transport.send_and_wait(response));
        if !matches!(sent.await, Ok(Ok(()))) {
            tracing::warn!("the server did not accept a response");
        }
    }

    /// Handles a notification. Handlers that do not wait run in the order of the notifications.
    fn handle_notification(&self, message: ServerMessage) {
        if message.method == "notifications/cancelled" {
            self.handle_cancellation(message.params.as_deref());
        }
        let Some(permit) = self.handled.try_reserve(length(&message)) else {
            return tracing::warn!(method = message.method, "dropped a notification: too many");
        };
        let (duplex, method) = (Arc::clone(&self.duplex), message.method.clone());
        let mut handler = Box::pin(async move {
            let _permit = permit;
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

/// Returns the approximate length of a message in bytes.
fn length(message: &ServerMessage) -> usize {
    let params = message
        .params
        .as_ref()
        .map_or(0, |params| params.get().len());
    let id = match &message.id {
        Some(RequestId::String(id)) => id.len(),
        _ => 0,
    };
    params + message.method.len() + id
}

/// Calls user code and logs its panic, because a panic must not end the reading thread.
fn log_panic(call: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(call)).is_err() {
        tracing::error!("a handler of the client panicked");
    }
}

fn poll_once(future: Pin<&mut (dyn Future<Output = ()> + Send)>) -> Poll<()> {
    future.poll(&mut TaskContext::from_waker(Waker::noop()))
}
