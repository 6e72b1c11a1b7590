use std::any::Any;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tracing::Span;

use crate::argument::{Coercion, Refusal};
use crate::context::RequestScope;
use crate::error::ToolError;
use crate::jsonrpc::ErrorObject;
use crate::protocol::CallToolResult;

/// The audit of one call: exactly one event, on whichever way the call ends.
///
/// A record that is dropped unfinished belongs to a call that was cancelled.
#[derive(Debug)]
pub(super) struct Record {
    span: Span,
    tool: Box<str>,
    started: Instant,
    coercions: usize,
    finished: bool,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Success,
    Error,
    Unknown,
    Invalid,
    Denied,
    Asked,
    Panic,
    Cancelled,
}

impl Record {
    pub(super) fn open(tool: &str, scope: &RequestScope<'_>) -> Self {
        let span = tracing::info_span!(
            target: "mcp_runtime::call",
            "tools/call",
            tool,
            request_id = %scope.id,
            revision = scope.revision.as_str(),
            channel = scope.channel.as_str(),
        );
        Self {
            span,
            tool: tool.into(),
            started: Instant::now(),
            coercions: 0,
            finished: false,
        }
    }

    /// The span that all stages of the call run in.
    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Notes what was changed in the arguments to make them fit.
    pub(super) fn coercions(&mut self, coercions: &[Coercion]) {
        self.coercions = coercions.len();
        for coercion in coercions {
            tracing::debug!(%coercion, "argument coerced");
        }
    }

    /// The arguments do not fit; the model reads why.
    pub(super) fn refused(mut self, refusal: &Refusal) -> CallToolResult {
        match refusal {
            Refusal::Arguments(text) => {
                self.finish(Ending::Invalid, "");
                CallToolResult::error(text.clone())
            }
            Refusal::Unfilled | Refusal::State(_) => self.hidden(Ending::Error, refusal),
        }
    }

    /// There is no such tool.
    pub(super) fn unknown(mut self, error: ErrorObject) -> ErrorObject {
        self.finish(Ending::Unknown, "");
        error
    }

    /// The caller may not do this.
    pub(super) fn denied(mut self, error: ErrorObject) -> ErrorObject {
        self.finish(Ending::Denied, &error.message);
        error
    }

    pub(super) fn succeeded(&mut self, result: CallToolResult) -> CallToolResult {
        let ending = if result.is_error {
            Ending::Error
        } else {
            Ending::Success
        };
        self.finish(ending, "");
        result
    }

    /// The body returned an error: its text for the model, its causes for the log.
    pub(super) fn failed(&mut self, error: &ToolError, masked: bool) -> CallToolResult {
        match error.shown(masked) {
            Some(text) => {
                self.finish(Ending::Error, error.detail());
                CallToolResult::error(text)
            }
            None => self.hidden(Ending::Error, &error.detail()),
        }
    }

    /// The client has to answer first, and then calls again.
    pub(super) fn asked(&mut self) {
        self.finish(Ending::Asked, "");
    }

    /// The client lacks what the call needs, or answered what is no answer.
    pub(super) fn unanswerable(&mut self, error: ErrorObject) -> ErrorObject {
        self.finish(Ending::Invalid, &error.message);
        error
    }

    /// The body panicked: the message is for the log alone.
    pub(super) fn panicked(&mut self, panic: &(dyn Any + Send)) -> CallToolResult {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        self.hidden(Ending::Panic, &text.unwrap_or("a panic without a message"))
    }

    /// Logs `cause` under an id, and tells the model the id only.
    fn hidden(&mut self, ending: Ending, cause: &dyn fmt::Display) -> CallToolResult {
        let id = correlation_id();
        self.finish(ending, &format_args!("{cause} [error {id}]"));
        CallToolResult::error(format!(
            "the tool failed for a reason that is not shown; the server's log has it as error {id}"
        ))
    }

    fn finish(&mut self, ending: Ending, detail: &(impl fmt::Display + ?Sized)) {
        self.finished = true;
        let (tool, micros) = (&*self.tool, self.started.elapsed().as_micros());
        let coercions = self.coercions;
        let _entered = self.span.enter();
        match ending {
            Ending::Error | Ending::Panic => tracing::warn!(
                target: "mcp_runtime::audit", tool, outcome = ending.as_str(), micros, coercions, %detail,
            ),
            _ => tracing::info!(
                target: "mcp_runtime::audit", tool, outcome = ending.as_str(), micros, coercions, %detail,
            ),
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.finished {
            self.finish(Ending::Cancelled, "");
        }
    }
}

impl Ending {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Unknown => "unknown tool",
            Self::Invalid => "invalid arguments",
            Self::Denied => "denied",
            Self::Asked => "asked",
            Self::Panic => "panic",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Tells failures apart in the log; unguessable it need not be.
fn correlation_id() -> String {
    static NEXT: LazyLock<AtomicU64> =
        LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(0)));
    format!("{:016x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
