use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tracing::Span;

use super::authorize::Denial;
use super::correlation::correlation_id;
use super::fate::Fate;
use super::legible::legible;
#[cfg(feature = "otel")]
use super::otel;
use super::target::Target;
use super::{Reply, Service, trace};
use crate::argument::{Coercion, Refusal};
use crate::audit::{AuditDecision, AuditLog, AuditOutcome, AuditRecord, Secrets, now};
#[cfg(feature = "client-log")]
use crate::client_log::Listener;
use crate::context::RequestScope;
use crate::error::ToolError;
use crate::jsonrpc::ErrorObject;
use crate::registry::Common;
use crate::text::shortened;

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
    fate: Option<Fate>,
    /// Whether a person has to agree before the body runs.
    needs_consent: bool,
    /// Values that nothing may show.
    secrets: Secrets,
    #[cfg(feature = "client-log")]
    listener: Option<Arc<Listener>>,
    /// What the sinks are told, where there are any.
    written: Option<Box<Written>>,
    finished: bool,
}

#[derive(Debug)]
struct Written {
    log: Arc<AuditLog>,
    record: AuditRecord,
}

impl Record {
    pub(super) fn open(
        service: &Service,
        scope: &RequestScope<'_>,
        method: &'static str,
        name: &str,
    ) -> Self {
        #[cfg(feature = "client-log")]
        let listener = service
            .client_log
            .as_ref()
            .and_then(|told| Listener::new(told, scope, &service.audit));
        #[cfg(feature = "client-log")]
        let span = match &listener {
            Some(listener) => listener.of_span(|| trace::span(scope, method, name)),
            None => trace::span(scope, method, name),
        };
        #[cfg(not(feature = "client-log"))]
        let span = trace::span(scope, method, name);
        let written = service.audit.is_used().then(|| {
            let log = Arc::clone(&service.audit);
            let record = begun(service, scope, method, name);
            Box::new(Written { log, record })
        });
        Self {
            span,
            method,
            name: name.into(),
            started: Instant::now(),
            coercions: 0,
            fate: None,
            needs_consent: false,
            secrets: Secrets::default(),
            #[cfg(feature = "client-log")]
            listener,
            written,
            finished: false,
        }
    }

    /// The span that all stages of the call run in.
    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Where the stages around the body say how the call ends.
    pub(super) fn fate(&mut self) -> Fate {
        self.fate.get_or_insert_default().clone()
    }

    /// As [`fate`](Self::fate), for a call that a person has to agree to.
    pub(super) fn fate_of_consent(&mut self) -> Fate {
        self.needs_consent = true;
        self.fate()
    }

    /// Notes with which arguments the call came; those that its definition keeps
    /// are hidden, and all of them where there is no definition.
    pub(super) fn arguments(&mut self, arguments: Option<&str>, of: Option<&Common>) {
        let arguments = legible(arguments);
        let arguments = arguments.as_deref();
        let kept = of.map(|common| common.kept(arguments));
        let kept: Option<Vec<&str>> = kept.as_ref().map(|it| it.iter().map(|it| &**it).collect());
        if let Some(written) = &mut self.written {
            let shown = written.log.shown(arguments, kept.as_deref());
            (written.record.arguments, written.record.digest) = shown;
        }
        if let Some(kept) = kept.filter(|names| !names.is_empty()) {
            self.secrets = Secrets::of(arguments, &kept);
            #[cfg(feature = "client-log")]
            if let Some(listener) = &self.listener {
                listener.hide(&self.secrets);
            }
        }
    }

    /// What nothing may show of the call.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Notes what was changed in the arguments to make them fit.
    pub(super) fn coercions(&mut self, coercions: &[Coercion]) {
        self.coercions = coercions.len();
        for coercion in coercions {
            tracing::debug!(%coercion, "argument coerced");
        }
        if let Some(written) = &mut self.written {
            let pointers = coercions.iter().map(|coercion| coercion.pointer.clone());
            written.record.coerced = pointers.collect();
        }
    }

    /// The arguments do not fit; the caller reads why.
    pub(super) fn refused<T: Target>(mut self, refusal: &Refusal) -> Reply {
        match refusal {
            Refusal::Arguments(text) => {
                self.finish(AuditOutcome::Invalid, None, "");
                let reply = T::invalid(&self.secrets.hidden(text));
                self.traced(reply)
            }
            Refusal::Unfilled | Refusal::State(_) => self.hidden::<T>(AuditOutcome::Error, refusal),
        }
    }

    /// A stage stops the call.
    pub(super) fn stopped(self, denial: Denial) -> Reply {
        self.ended(Err(denial))
    }

    /// A request that has no body is done, or was stopped.
    pub(super) fn ended<T>(mut self, done: Result<T, Denial>) -> Result<T, ErrorObject> {
        match done {
            Ok(value) => {
                self.finish(AuditOutcome::Success, None, "");
                Ok(value)
            }
            Err(denial) => {
                self.finish(denial.outcome, None, &denial.detail);
                #[cfg(feature = "otel")]
                otel::error(&self.span, &denial.error);
                Err(denial.error)
            }
        }
    }

    /// Everything but the body was done.
    pub(super) fn not_run<T: Target>(mut self, text: &str) -> Reply {
        self.finish(AuditOutcome::DryRun, None, "");
        T::failure(text)
    }

    /// The body goes on to its end, and nobody takes what it gives.
    pub(super) fn unwanted(&mut self) {
        self.fate().is(AuditOutcome::Cancelled);
    }

    pub(super) fn succeeded<T: Target>(&mut self, value: &T::Value) {
        let failed = T::is_failure(value);
        #[cfg(feature = "otel")]
        if failed {
            otel::tool_error(&self.span);
        }
        let outcome = match failed {
            _ if T::is_absent(value) => AuditOutcome::Unknown,
            true => AuditOutcome::Error,
            false => AuditOutcome::Success,
        };
        self.finish(outcome, Some(T::bytes(value)), "");
    }

    /// What a body returned is answered with an error.
    pub(super) fn answered(&self, reply: Reply) -> Reply {
        match reply {
            Ok(payload) => Ok(payload),
            Err(_) => self.traced(reply),
        }
    }

    /// The body returned an error: its text for the caller, its causes for the log.
    pub(super) fn failed<T: Target>(&mut self, error: &ToolError, masked: bool) -> Reply {
        match error.shown(masked) {
            Some(text) => {
                self.finish(AuditOutcome::Error, None, error.detail());
                let reply = T::failure(&self.secrets.hidden(text));
                self.traced(reply)
            }
            None => self.hidden::<T>(AuditOutcome::Error, &error.detail()),
        }
    }

    /// The result is more than a client is sent.
    pub(super) fn too_large<T: Target>(&mut self, bytes: usize, most: usize) -> Reply {
        self.finish(AuditOutcome::TooLarge, Some(bytes), "");
        self.traced(T::failure(&format!(
            "the result has {bytes} bytes, and {most} may be sent; \
             ask for less: narrow the request, or take it in parts"
        )))
    }

    /// The client has to answer first, and then calls again.
    pub(super) fn asked(&mut self) {
        self.finish(AuditOutcome::Asked, None, "");
    }

    /// The client lacks what the call needs, or answered what is no answer.
    pub(super) fn unanswerable(&mut self, error: ErrorObject) -> ErrorObject {
        self.finish(AuditOutcome::Invalid, None, &error.message);
        #[cfg(feature = "otel")]
        otel::error(&self.span, &error);
        error
    }

    /// The body panicked: the message is for the log alone.
    pub(super) fn panicked<T: Target>(&mut self, panic: &(dyn Any + Send)) -> Reply {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("a panic without a message");
        self.hidden::<T>(AuditOutcome::Panic, &text)
    }

    /// Logs `cause` under an id, and tells the caller the id only.
    fn hidden<T: Target>(&mut self, outcome: AuditOutcome, cause: &dyn fmt::Display) -> Reply {
        let written = self.written.as_ref();
        let id = written.map_or_else(correlation_id, |it| it.record.correlation_id.clone());
        self.finish(outcome, None, &format!("{cause} [error {id}]"));
        let word = T::WORD;
        self.traced(T::failure(&format!(
            "the {word} failed for a reason that is not shown; the server's log has it as error {id}"
        )))
    }

    /// Notes what was called.
    pub(super) fn resolved<T: Target>(&self, target: &T) {
        #[cfg(feature = "otel")]
        otel::resolved(&self.span, target);
        #[cfg(not(feature = "otel"))]
        let _ = target;
    }

    /// Notes in the trace how a call failed.
    fn traced(&self, reply: Reply) -> Reply {
        #[cfg(feature = "otel")]
        match &reply {
            Ok(_) => otel::tool_error(&self.span),
            Err(error) => otel::error(&self.span, error),
        }
        reply
    }

    fn finish(&mut self, outcome: AuditOutcome, bytes: Option<usize>, detail: &str) {
        self.finished = true;
        let fate = self.fate.as_ref();
        let outcome = fate.and_then(Fate::outcome).unwrap_or(outcome);
        let decision = match self.needs_consent {
            true => fate
                .and_then(Fate::decision)
                .unwrap_or(AuditDecision::Withheld),
            false => outcome.decision(),
        };
        let detail = &*self.secrets.hidden(detail);
        let (method, name) = (self.method, &*self.name);
        let micros = self.started.elapsed().as_micros();
        let coercions = self.coercions;
        let _entered = self.span.enter();
        match outcome {
            AuditOutcome::Error | AuditOutcome::Panic => tracing::warn!(
                target: "mcp_runtime::audit", method, name, decision = decision.as_str(), outcome = outcome.as_str(), micros, coercions, %detail,
            ),
            _ => tracing::info!(
                target: "mcp_runtime::audit", method, name, decision = decision.as_str(), outcome = outcome.as_str(), micros, coercions, %detail,
            ),
        }
        if let Some(written) = &mut self.written {
            let Written { log, record } = &mut **written;
            record.decision = decision;
            record.outcome = outcome;
            record.bytes = bytes.and_then(|bytes| bytes.try_into().ok());
            record.duration_micros = micros.try_into().unwrap_or(u64::MAX);
            detail.clone_into(&mut record.detail);
            log.write(record);
        }
    }
}

fn begun(
    service: &Service,
    scope: &RequestScope<'_>,
    method: &'static str,
    name: &str,
) -> AuditRecord {
    AuditRecord {
        version: 1,
        time: now(&service.clock),
        correlation_id: correlation_id(),
        request_id: Some(scope.id.clone()),
        method,
        name: shortened(name, 128).into_owned(),
        principal: scope.principal_id().map(str::to_owned),
        channel: scope.channel,
        revision: Some(scope.revision),
        arguments: Value::Null,
        digest: None,
        coerced: Vec::new(),
        decision: AuditDecision::Withheld,
        outcome: AuditOutcome::Cancelled,
        duration_micros: 0,
        bytes: None,
        detail: String::new(),
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.finished {
            self.finish(AuditOutcome::Cancelled, None, "");
        }
    }
}
