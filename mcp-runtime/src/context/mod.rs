//! What a handler gets from the server: the request it serves, and state.

mod ask;
mod cancellation;
mod outgoing;
mod outstanding;
mod scope;
mod state;
mod telling;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

pub use ask::{AskError, Elicited, Eliciting, FormKind, NoFormKind, Together};
pub(crate) use ask::{Asking, Desk, Escape, Memory};
pub(crate) use cancellation::Cancellation;
pub(crate) use outgoing::Nowhere;
pub use outgoing::Outgoing;
pub(crate) use outstanding::{Answer, Outstanding};
pub(crate) use scope::{DRY_RUN, PATIENCE, RequestScope, Way};
pub(crate) use state::State;
pub use state::{Injected, Requirement, requirement};
#[cfg(feature = "client-log")]
pub(crate) use telling::Mark;
pub(crate) use telling::{Telling, Threshold};

use crate::auth::Principal;
use crate::jsonrpc::RequestId;
use crate::protocol::{ClientCapabilities, Implementation, JsonObject, LoggingLevel, Revision};

/// The request that a handler serves; a parameter `&Context` receives it.
///
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// /// Says who is calling.
/// #[tool(read_only, inline)]
/// fn who(ctx: &Context) -> String {
///     let client = ctx.client().info.as_ref();
///     client.map_or("somebody".to_owned(), |client| client.name.clone())
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Context {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    pub(crate) channel: Channel,
    pub(crate) client: Arc<ClientProfile>,
    pub(crate) cancellation: Cancellation,
    /// Raised when the body has taken too long, and the call was answered without it.
    pub(crate) expiry: Cancellation,
    pub(crate) telling: Telling,
    pub(crate) meta: JsonObject,
    pub(crate) asking: Arc<Asking>,
    pub(crate) outstanding: Arc<Outstanding>,
    /// How long the client may take to answer a question.
    pub(crate) patience: Duration,
    pub(crate) principal: Option<Arc<Principal>>,
}

/// What a client says about itself; claims, never credentials.
#[derive(Clone, Debug, Default)]
pub struct ClientProfile {
    /// Who it is, if it said so.
    pub info: Option<Implementation>,
    /// What it can do.
    pub capabilities: ClientCapabilities,
}

/// The door that a request came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Channel {
    /// Standard input and output of this process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// Inside this process, as in tests.
    Memory,
    /// The command line of the server itself.
    Cli,
}

impl Channel {
    /// The name in logs and audit records.
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
    /// The id of the request.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.id
    }

    /// The revision that the request speaks.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Who calls, where that was proved; `None` is a local caller without a token.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_deref()
    }

    /// The door that the request came through.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// What the client says about itself.
    #[must_use]
    pub fn client(&self) -> &ClientProfile {
        &self.client
    }

    /// The `_meta` of the request.
    #[must_use]
    pub fn meta(&self) -> &JsonObject {
        &self.meta
    }

    /// Puts a member into the `_meta` of the result.
    ///
    /// Keys have the form `example.com/name`; what the body returns in a `_meta`
    /// of its own counts more.
    pub fn set_meta(&self, key: impl Into<String>, value: impl Into<serde_json::Value>) {
        self.telling.set_meta(key.into(), value.into());
    }

    /// Tells the client how far the call has come, if it asked to know.
    ///
    /// `progress` grows to `total`, if that is known, in any unit. What does not
    /// exceed the last report is left out, as the specification wants; so is
    /// everything after the reply.
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
        self.telling.progress(progress, total.into(), None);
    }

    /// As [`progress`](Self::progress), with a word about what is being done
    /// (since 2025-03-26).
    pub fn progress_with(&self, progress: f64, total: impl Into<Option<f64>>, message: &str) {
        self.telling.progress(progress, total.into(), Some(message));
    }

    /// Sends the client a log message, if it wants those of `level`.
    ///
    /// Before 2026-07-28 the client sets a level for its session, `info` unless
    /// said; since then each request says it, and none are sent unless it does.
    /// Clients may show them to anybody, so they must not hold secrets.
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

    /// As [`log`](Self::log), in the name of a part of the server.
    pub fn log_as(&self, level: LoggingLevel, logger: Option<&str>, data: impl Serialize) {
        match serde_json::to_value(data) {
            Ok(data) => self.telling.log(level, logger, &data),
            Err(error) => tracing::warn!("a log message is no JSON: {error}"),
        }
    }

    /// The context as an `Arc<T>` if that is what `T` is.
    pub(crate) fn as_injected<T: ?Sized + Injected>(self: &Arc<Self>) -> Option<Arc<T>> {
        state::as_lent(self)
    }

    /// Whether nobody waits for the body any longer: the client does not want the
    /// answer, is gone, or was told that the call took too long.
    ///
    /// The future of an `async fn` is dropped then; a plain `fn` asks here from
    /// time to time, since a thread cannot be stopped from outside.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled() || self.expiry.is_cancelled()
    }

    /// Whether the client wants to know what would happen, and nothing to be done.
    ///
    /// Bodies of tools, prompts and resources do not run then, so this is for
    /// what stands around them: [methods](crate::Method) of your own and wrappers.
    /// A client says it with `"mcp-runtime/dryRun": true` in the `_meta` of a
    /// request, [`Client::dry_run`](crate::Client::dry_run) and `call --dry-run`.
    #[must_use]
    pub fn is_dry_run(&self) -> bool {
        self.meta.get(DRY_RUN) == Some(&serde_json::Value::Bool(true))
    }

    /// Lets the client go while a long call runs; it comes back for the rest after `retry`.
    ///
    /// Frees the connection of clients over HTTP that speak 2025-11-25. `false`
    /// where that is not possible; the call goes on either way.
    pub fn close_stream(&self, retry: Duration) -> bool {
        self.telling.outgoing.close_stream(retry)
    }

    /// Completes when nobody waits for the body any longer, as
    /// [`is_cancelled`](Self::is_cancelled) says.
    pub async fn cancelled(&self) {
        tokio::select! {
            () = self.cancellation.cancelled() => {}
            () = self.expiry.cancelled() => {}
        }
    }
}
