//! The values that a handler receives from the server: the context of its request, and shared
//! state.

mod cancellation;
mod client_sink;
mod input_request;
mod notifier;
mod pending_requests;
mod request_parts;
mod state;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

pub(crate) use cancellation::Cancellation;
#[doc(hidden)]
pub use client_sink::ClientSink;
pub(crate) use client_sink::NullSink;
pub(crate) use input_request::{CallMemo, PendingInputRequests, Suspension, TaskInbox};
pub use input_request::{ElicitFuture, Elicited, InputRequestError, Join};
#[doc(hidden)]
pub use input_request::{FormCheck, FormCheckFallback};
#[cfg(feature = "client-log")]
pub(crate) use notifier::ReentrancyGuard;
pub(crate) use notifier::{LogThreshold, RequestNotifier};
pub(crate) use pending_requests::{PendingRequests, ResponseResult};
pub(crate) use request_parts::{BackChannel, DEFAULT_INPUT_TIMEOUT, DRY_RUN, RequestParts};
pub use state::Injectable;
pub(crate) use state::State;
#[doc(hidden)]
pub use state::{Requirement, requirement};

use crate::auth::Principal;
use crate::jsonrpc::RequestId;
use crate::protocol::{ClientCapabilities, Implementation, JsonObject, LoggingLevel, Revision};

pub use crate::schema::Elicitable;

/// The context of the request that a handler serves.
///
/// A handler receives the context as a `&Context` parameter.
///
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// /// Returns the name of the calling client.
/// #[tool(read_only, inline)]
/// fn client_name(ctx: &Context) -> String {
///     let client = ctx.client().info.as_ref();
///     client.map_or("unknown".to_owned(), |client| client.name.clone())
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Context {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    pub(crate) transport: TransportKind,
    pub(crate) client: Arc<ClientProfile>,
    pub(crate) cancellation: Cancellation,
    /// Cancelled when the handler has timed out.
    pub(crate) expiry: Cancellation,
    pub(crate) notifier: RequestNotifier,
    pub(crate) meta: JsonObject,
    pub(crate) input_requests: Arc<PendingInputRequests>,
    pub(crate) pending_requests: Arc<PendingRequests>,
    /// The maximum time that the client may take to respond to an input request.
    pub(crate) input_timeout: Duration,
    pub(crate) principal: Option<Arc<Principal>>,
}

/// The information that a client declares about itself. It is not authenticated.
///
/// See [`Context`] for an example.
#[derive(Clone, Debug, Default)]
pub struct ClientProfile {
    /// The name and version of the client, if the client has sent them.
    pub info: Option<Implementation>,
    /// The capabilities that the client declared.
    pub capabilities: ClientCapabilities,
}

/// The transport that a request arrived through. See [`Context::transport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportKind {
    /// Standard input and output of the server process.
    Stdio,
    /// HTTP (Streamable HTTP).
    Http,
    /// A client in the same process, such as the client of a test.
    Memory,
    /// The command line of the server program.
    Cli,
}

impl TransportKind {
    /// Returns the name of the transport in logs and audit records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Memory => "memory",
            Self::Cli => "cli",
        }
    }
}

impl Context {
    /// Returns the id of the request.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.id
    }

    /// Returns the protocol revision of the request.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the authenticated caller, or `None` for a caller without a token.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_deref()
    }

    /// Returns the transport that the request arrived through.
    #[must_use]
    pub fn transport(&self) -> TransportKind {
        self.transport
    }

    /// Returns the information that the client declares about itself.
    #[must_use]
    pub fn client(&self) -> &ClientProfile {
        &self.client
    }

    /// Returns the `_meta` of the request.
    #[must_use]
    pub fn meta(&self) -> &JsonObject {
        &self.meta
    }

    /// Adds a member to the `_meta` of the result.
    ///
    /// A key has the form `example.com/name`. If the handler also returns a `_meta` member with
    /// this key, the returned member takes precedence.
    pub fn set_meta(&self, key: impl Into<String>, value: impl Into<serde_json::Value>) {
        self.notifier.set_meta(key.into(), value.into());
    }

    /// Sends a progress notification, if the client requested progress.
    ///
    /// `progress` increases towards `total`, in any unit. The specification requires that progress
    /// increases. Therefore a value that does not exceed the previous value is not sent. No
    /// progress is sent after the reply.
    ///
    /// ```
    /// # use mcp_runtime::Context;
    /// fn copy(files: &[&str], ctx: &Context) {
    ///     for (done, file) in files.iter().enumerate() {
    ///         ctx.progress_with(done as f64, files.len() as f64, file);
    ///     }
    /// }
    /// ```
    pub fn progress(&self, progress: f64, total: impl Into<Option<f64>>) {
        self.notifier.progress(progress, total.into(), None);
    }

    /// Sends a progress notification like [`progress`](Self::progress), with a message about the
    /// current step. Clients older than protocol version 2025-03-26 do not receive the message.
    pub fn progress_with(&self, progress: f64, total: impl Into<Option<f64>>, message: &str) {
        self.notifier
            .progress(progress, total.into(), Some(message));
    }

    /// Sends a log message to the client, if the client accepts messages of `level`.
    ///
    /// Before protocol version 2026-07-28, the client sets the minimum level of its session. The
    /// default level is `info`. Since then, the client sets the minimum level in each request. If a
    /// request has no level, no messages are sent. Clients may display log messages to anyone, so
    /// log messages must not contain secrets.
    ///
    /// ```
    /// # use mcp_runtime::{Context, protocol::LoggingLevel};
    /// # fn example(ctx: &Context) {
    /// ctx.log(LoggingLevel::Warning, "the disk is almost full");
    /// # }
    /// ```
    pub fn log(&self, level: LoggingLevel, data: impl Serialize) {
        self.log_as(level, None, data);
    }

    /// Sends a log message like [`log`](Self::log), with the name of a logger.
    pub fn log_as(&self, level: LoggingLevel, logger: Option<&str>, data: impl Serialize) {
        match serde_json::to_value(data) {
            Ok(data) => self.notifier.log(level, logger, &data),
            Err(error) => tracing::warn!("a log message cannot be written as JSON: {error}"),
        }
    }

    /// Returns the context as an `Arc<T>` if `T` is `Context`.
    pub(crate) fn as_injected<T: ?Sized + Injectable>(self: &Arc<Self>) -> Option<Arc<T>> {
        state::downcast_arc(self)
    }

    /// Whether the reply is no longer needed, because the client cancelled the request or
    /// disconnected, or because the call timed out.
    ///
    /// The future of an `async fn` is dropped in that case. A plain `fn` cannot be stopped from
    /// outside, so a long-running `fn` should check this flag regularly.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled() || self.expiry.is_cancelled()
    }

    /// Whether the request is a dry run, which must have no effects.
    ///
    /// The handlers of tools, prompts and resources do not run in a dry run. Use this flag in your
    /// own [methods](crate::dispatch::Method) and method wrappers. A client requests a dry run with
    /// `"mcp-runtime/dryRun": true` in the `_meta` of a request, with
    /// [`Client::dry_run`](crate::Client::dry_run) or with `call --dry-run`.
    #[must_use]
    pub fn is_dry_run(&self) -> bool {
        self.meta.get(DRY_RUN) == Some(&serde_json::Value::Bool(true))
    }

    /// Closes the response stream of a long call, and requests that the client reconnect after
    /// `retry`.
    ///
    /// Closing the stream frees the connection of an HTTP client of protocol version 2025-11-25.
    /// The call continues. Returns `false` if the stream cannot be closed.
    pub fn close_stream(&self, retry: Duration) -> bool {
        self.notifier.sink.close_stream(retry)
    }

    /// Completes when [`is_cancelled`](Self::is_cancelled) becomes `true`.
    pub async fn cancelled(&self) {
        tokio::select! {
            () = self.cancellation.cancelled() => {}
            () = self.expiry.cancelled() => {}
        }
    }
}
