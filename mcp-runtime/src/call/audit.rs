use std::any::Any;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tracing::Span;

use super::Reply;
use super::gate::Denial;
use super::target::Target;
use super::trace::TraceParent;
use crate::argument::{Coercion, Refusal};
use crate::context::RequestScope;
use crate::error::ToolError;
use crate::jsonrpc::ErrorObject;

/// The audit of one call: exactly one event, on whichever way the call ends.
///
/// A record that is dropped unfinished belongs to a call that was cancelled.
#[derive(Debug)]
pub(super) struct Record {
    span: Span,
    method: &'static str,
    name: Box<str>,
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
    pub(super) fn open(method: &'static str, name: &str, scope: &RequestScope<'_>) -> Self {
        let span = tracing::info_span!(
            target: "mcp_runtime::call",
            "call",
            method,
            name,
            request_id = %scope.id,
            revision = scope.revision.as_str(),
            channel = scope.channel.as_str(),
            trace_id = tracing::field::Empty,
            parent_id = tracing::field::Empty,
        );
        if let Some(parent) = TraceParent::of(scope.meta) {
            span.record("trace_id", parent.trace_id);
            span.record("parent_id", parent.parent_id);
        }
        Self {
            span,
            method,
            name: name.into(),
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

    /// The arguments do not fit; the caller reads why.
    pub(super) fn refused<T: Target>(mut self, refusal: &Refusal) -> Reply {
        match refusal {
            Refusal::Arguments(text) => {
                self.finish(Ending::Invalid, "");
                T::invalid(text)
            }
            Refusal::Unfilled | Refusal::State(_) => self.hidden::<T>(Ending::Error, refusal),
        }
    }

    /// There is no such target.
    pub(super) fn unknown(mut self, error: ErrorObject) -> ErrorObject {
        self.finish(Ending::Unknown, "");
        error
    }

    /// The caller may not do this, or nobody agreed.
    pub(super) fn denied<T: Target>(&mut self, denial: Denial) -> Reply {
        match denial {
            Denial::Protocol(error) => {
                self.finish(Ending::Denied, &error.message);
                Err(error)
            }
            Denial::Model(text) => {
                self.finish(Ending::Denied, &text);
                T::failure(&text)
            }
        }
    }

    pub(super) fn succeeded<T: Target>(&mut self, value: &T::Value) {
        let ending = match T::is_failure(value) {
            true => Ending::Error,
            false => Ending::Success,
        };
        self.finish(ending, "");
    }

    /// The body returned an error: its text for the caller, its causes for the log.
    pub(super) fn failed<T: Target>(&mut self, error: &ToolError, masked: bool) -> Reply {
        match error.shown(masked) {
            Some(text) => {
                self.finish(Ending::Error, error.detail());
                T::failure(text)
            }
            None => self.hidden::<T>(Ending::Error, &error.detail()),
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
    pub(super) fn panicked<T: Target>(&mut self, panic: &(dyn Any + Send)) -> Reply {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        self.hidden::<T>(Ending::Panic, &text.unwrap_or("a panic without a message"))
    }

    /// Logs `cause` under an id, and tells the caller the id only.
    fn hidden<T: Target>(&mut self, ending: Ending, cause: &dyn fmt::Display) -> Reply {
        let id = correlation_id();
        self.finish(ending, &format_args!("{cause} [error {id}]"));
        let word = T::WORD;
        T::failure(&format!(
            "the {word} failed for a reason that is not shown; the server's log has it as error {id}"
        ))
    }

    fn finish(&mut self, ending: Ending, detail: &(impl fmt::Display + ?Sized)) {
        self.finished = true;
        let (method, name) = (self.method, &*self.name);
        let micros = self.started.elapsed().as_micros();
        let coercions = self.coercions;
        let _entered = self.span.enter();
        match ending {
            Ending::Error | Ending::Panic => tracing::warn!(
                target: "mcp_runtime::audit", method, name, outcome = ending.as_str(), micros, coercions, %detail,
            ),
            _ => tracing::info!(
                target: "mcp_runtime::audit", method, name, outcome = ending.as_str(), micros, coercions, %detail,
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
            Self::Unknown => "unknown",
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
