use std::sync::Arc;

use super::builtin_method::RoutedRequest;
use super::client_notifications::{self, NotificationHandlers};
use super::connection::Connection;
use super::core::Core;
use super::legacy::{self, batch::dispatch_batch};
use super::method_table::MethodTable;
use super::modern::listen::LISTEN;
use super::outcome::write_reply;
use super::pending::{DispatchOutcome, PendingCall};
use super::request_meta::RequestWithMeta;
use super::subscriptions::server_handle::ServerHandle;
use crate::call::Execution;
use crate::jsonrpc::{ErrorCode, ErrorObject, Frame, InvalidMessage, Message, RequestId};
#[cfg(feature = "http")]
use crate::schema::HeaderParameter;

/// A dispatcher that processes the messages for one server. Clones share the server.
///
/// ```standalone_crate
/// use mcp_runtime::dispatch::{Connection, DispatchOutcome};
/// use mcp_runtime::Server;
/// # use mcp_runtime::prelude::*;
/// # /// Adds.
/// # #[tool(inline)]
/// # fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let dispatcher = Server::new("example", "1.0.0").build()?;
/// let connection = Connection::new();
/// let mut reply = Vec::new();
/// let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// let outcome = dispatcher.dispatch(ping, &connection, &mut reply);
/// assert!(matches!(outcome, DispatchOutcome::Replied(_)));
/// assert_eq!(reply, br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dispatcher {
    core: Arc<Core>,
    methods: Arc<MethodTable>,
    notifications: Arc<NotificationHandlers>,
}

impl Dispatcher {
    pub(crate) fn new(
        core: Core,
        methods: MethodTable,
        notifications: NotificationHandlers,
    ) -> Self {
        Self {
            core: Arc::new(core),
            methods: Arc::new(methods),
            notifications: Arc::new(notifications),
        }
    }

    /// Returns the number of tools that the server serves.
    #[must_use]
    pub fn tool_count(&self) -> usize {
        self.core.server.registry.snapshot().tools.len()
    }

    /// Returns the number of tasks that are running or waiting for input from a client.
    #[must_use]
    pub fn task_count(&self) -> usize {
        self.core.tasks.count()
    }

    /// Stops all running tasks. The tasks fail with a message that says that the server stops.
    ///
    /// The servers of this crate call this method before they stop. Call it yourself if you mount
    /// an endpoint in a server of another crate.
    pub async fn stop_tasks(&self) {
        self.core.tasks.stop().await;
    }

    /// Returns the handle that adds and removes definitions.
    #[must_use]
    pub fn handle(&self) -> &ServerHandle {
        &self.core.handle
    }

    /// Dispatches one frame of a transport. Appends the reply to `out` if it is already available.
    ///
    /// This polls the future of a handler once, so call it inside a tokio runtime if your handlers
    /// need one.
    ///
    /// ```
    /// # use mcp_runtime::Dispatcher;
    /// use mcp_runtime::dispatch::{Connection, DispatchOutcome};
    ///
    /// # async fn example(dispatcher: Dispatcher, connection: Connection, frame: &[u8]) {
    /// let mut reply = Vec::new();
    /// match dispatcher.dispatch(frame, &connection, &mut reply) {
    ///     DispatchOutcome::Silent => {}
    ///     DispatchOutcome::Replied(_) => println!("{}", String::from_utf8_lossy(&reply)),
    ///     DispatchOutcome::Pending(pending) => println!("{:?}", pending.run().await),
    /// }
    /// # }
    /// ```
    pub fn dispatch(
        &self,
        frame: &[u8],
        connection: &Connection,
        out: &mut Vec<u8>,
    ) -> DispatchOutcome {
        self.dispatch_frame(Frame::parse(frame), connection, out)
    }

    /// Dispatches a parsed frame. See [`dispatch`](Self::dispatch).
    pub(crate) fn dispatch_frame(
        &self,
        frame: Frame<'_>,
        connection: &Connection,
        out: &mut Vec<u8>,
    ) -> DispatchOutcome {
        match frame {
            Frame::Single(message) => self.dispatch_message(message, connection, out),
            Frame::Batch(elements) => dispatch_batch(&elements, connection, out, |message, out| {
                self.dispatch_message(message, connection, out)
            }),
        }
    }

    /// Checks whether dispatching the frame may run a handler, which may need a tokio runtime.
    pub(crate) fn runs_handlers(&self, frame: &Frame<'_>) -> bool {
        match frame {
            Frame::Single(Ok(Message::Request(request))) => {
                self.method_runs_handlers(&request.method)
            }
            Frame::Single(Ok(Message::Notification(notification))) => {
                self.notifications.handles(&notification.method)
            }
            Frame::Single(_) => false,
            Frame::Batch(_) => true,
        }
    }

    /// Dispatches one message. If the session belongs to another caller, rejects requests and
    /// ignores other messages.
    fn dispatch_message(
        &self,
        message: Result<Message<'_>, InvalidMessage>,
        connection: &Connection,
        out: &mut Vec<u8>,
    ) -> DispatchOutcome {
        match message {
            Ok(Message::Request(request)) => {
                return self.dispatch_request(&RequestWithMeta::new(request), connection, out);
            }
            Err(InvalidMessage { id, error }) => {
                return DispatchOutcome::rejected(out, id.as_ref(), &error, false);
            }
            Ok(_) if !connection.owns_session() => {}
            Ok(Message::Notification(notification)) => {
                client_notifications::handle(&notification, connection, &self.notifications);
            }
            Ok(Message::Response(response)) => connection.handle_response(response),
        }
        DispatchOutcome::Silent
    }

    /// Checks whether a method may run a handler of the user.
    pub(crate) fn method_runs_handlers(&self, method: &str) -> bool {
        self.methods.runs_handlers(method)
    }

    /// Dispatches a request whose `_meta` is already parsed.
    pub(crate) fn dispatch_request(
        &self,
        request: &RequestWithMeta<'_>,
        connection: &Connection,
        out: &mut Vec<u8>,
    ) -> DispatchOutcome {
        let RequestWithMeta {
            request,
            meta,
            stateless,
        } = request;
        let id = &request.id;
        if let Err(error) = check_session(connection, id) {
            return DispatchOutcome::rejected(out, Some(id), &error, false);
        }
        let routing = match stateless {
            Some(members) => members
                .revision()
                .and_then(|revision| Ok((revision, members.log_level()?))),
            None => legacy::revision_of(request, connection).map(|revision| (revision, None)),
        };
        let (revision, log_level) = match routing {
            Ok(routing) => routing,
            Err(error) => {
                return DispatchOutcome::rejected(out, Some(id), &error, stateless.is_some());
            }
        };
        let mut parts = connection.request_parts(id, revision, *meta, log_level);
        parts.input_timeout = self.core.server.handler_settings.input_timeout;
        let routed = RoutedRequest {
            request,
            parts: &parts,
            connection,
        };
        match self.methods.call(&self.core, &routed) {
            Execution::Ready(reply) => {
                // Code that the handler spawned must not send notifications after the reply.
                if let Some(context) = parts.existing_context() {
                    context.notifier.end();
                }
                let codec = &self.core.codec;
                DispatchOutcome::Replied(write_reply(out, codec, id, revision, &reply))
            }
            execution => {
                let long_lived = request.method == LISTEN.method;
                PendingCall::start(&self.core, execution, &routed, long_lived).poll_now(out)
            }
        }
    }

    /// Returns the parameters of a tool that clients repeat in HTTP headers.
    #[cfg(feature = "http")]
    pub(crate) fn header_parameters(&self, tool: &str) -> Arc<[HeaderParameter]> {
        let snapshot = self.core.server.registry.snapshot();
        let tool = snapshot.tools.get(tool);
        tool.map_or_else(Arc::default, |tool| tool.header_parameters())
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }
}

/// Returns an error if the caller does not own the session, or if the request id is in use.
fn check_session(connection: &Connection, id: &RequestId) -> Result<(), ErrorObject> {
    if !connection.owns_session() {
        let message = "the session belongs to another caller";
        return Err(ErrorObject::new(ErrorCode::FORBIDDEN, message));
    }
    if connection.in_flight().contains(id) {
        return Err(ErrorObject::invalid_request(
            "a request with this `id` is still in flight; use a new one",
        ));
    }
    Ok(())
}
