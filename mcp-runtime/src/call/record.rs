use std::any::Any;
use std::fmt;
#[cfg(feature = "client-log")]
use std::sync::Arc;
use std::time::Instant;

use tracing::Span;

use super::audit_record_builder::AuditRecordBuilder;
use super::authorize::Denial;
use super::correlation::correlation_id;
use super::normalize_arguments::normalize_arguments;
#[cfg(feature = "otel")]
use super::otel;
use super::outcome::CallOutcome;
use super::{Reply, ServerContext, trace};
use crate::argument::{Coercion, Rejection};
use crate::audit::{AuditDecision, AuditOutcome, Secrets};
#[cfg(feature = "client-log")]
use crate::client_log::CallLogger;
use crate::context::RequestParts;
use crate::error::ToolError;
use crate::jsonrpc::ErrorObject;
use crate::registry::{Definition, DefinitionMeta};

/// The record of one call, which writes exactly one audit event when the call ends.
///
/// A record that is dropped before its call has finished reports the call as cancelled.
#[derive(Debug)]
pub(super) struct CallRecord {
    span: Span,
    method: &'static str,
    name: Box<str>,
    started: Instant,
    coercions: usize,
    outcome: Option<CallOutcome>,
    /// Whether a user has to confirm the call before the handler runs.
    needs_consent: bool,
    /// The values of the secret arguments.
    secrets: Secrets,
    #[cfg(feature = "client-log")]
    logger: Option<Arc<CallLogger>>,
    /// The record for the audit sinks, if the server has sinks.
    sink_record: Option<Box<AuditRecordBuilder>>,
    finished: bool,
}

impl CallRecord {
    pub(super) fn open(
        server: &ServerContext,
        parts: &RequestParts<'_>,
        method: &'static str,
        name: &str,
    ) -> Self {
        #[cfg(feature = "client-log")]
        let logger = server
            .client_log
            .as_ref()
            .and_then(|targets| CallLogger::new(targets, parts, &server.audit));
        #[cfg(feature = "client-log")]
        let span = match &logger {
            Some(logger) => logger.attach(|| trace::span(parts, method, name)),
            None => trace::span(parts, method, name),
        };
        #[cfg(not(feature = "client-log"))]
        let span = trace::span(parts, method, name);
        Self {
            span,
            method,
            name: name.into(),
            started: Instant::now(),
            coercions: 0,
            outcome: None,
            needs_consent: false,
            secrets: Secrets::default(),
            #[cfg(feature = "client-log")]
            logger,
            sink_record: AuditRecordBuilder::open(server, parts, method, name),
            finished: false,
        }
    }

    /// Returns the span that all stages of the call run in.
    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Returns the handle with which the stages around the handler set the outcome.
    pub(super) fn outcome(&mut self) -> CallOutcome {
        self.outcome.get_or_insert_default().clone()
    }

    /// Marks the call as one that a user has to confirm, and returns its
    /// [`outcome`](Self::outcome).
    pub(super) fn consent_outcome(&mut self) -> CallOutcome {
        self.needs_consent = true;
        self.outcome()
    }

    /// Records the arguments. Only secret arguments are redacted, or all arguments if the
    /// definition is unknown.
    pub(super) fn record_arguments(
        &mut self,
        arguments: Option<&str>,
        definition: Option<&DefinitionMeta>,
    ) {
        let arguments = normalize_arguments(arguments);
        let arguments = arguments.as_deref();
        let names = definition.map(|definition| definition.secret_names(arguments));
        let names: Option<Vec<&str>> = names
            .as_ref()
            .map(|names| names.iter().map(|name| &**name).collect());
        if let Some(sink_record) = &mut self.sink_record {
            sink_record.set_arguments(arguments, names.as_deref());
        }
        if let Some(names) = names.filter(|names| !names.is_empty()) {
            let is_known_name =
                |name: &str| definition.is_some_and(|it| it.arguments.names_property(name));
            self.secrets = Secrets::from_arguments(arguments, &names, is_known_name);
            #[cfg(feature = "client-log")]
            if let Some(logger) = &self.logger {
                logger.redact(&self.secrets);
            }
        }
    }

    /// Returns the values of the secret arguments, which no log or reply may contain.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Records which arguments were coerced.
    pub(super) fn record_coercions(&mut self, coercions: &[Coercion]) {
        self.coercions = coercions.len();
        for coercion in coercions {
            let coercion = self.secrets.redact(&coercion.to_string());
            tracing::debug!(coercion, "argument coerced");
        }
        if let Some(sink_record) = &mut self.sink_record {
            sink_record.set_coercions(coercions, &self.secrets);
        }
    }

    /// Ends a call with invalid arguments, and returns a reply that lists the violations.
    pub(super) fn invalid_arguments<T: Definition>(&mut self, rejection: &Rejection) -> Reply {
        match rejection {
            Rejection::Arguments(text) => {
                self.finish(AuditOutcome::Invalid, None, "");
                let reply = T::invalid_arguments(&self.secrets.redact(text));
                self.traced(reply)
            }
            Rejection::EmptySlot | Rejection::State(_) => {
                self.hide_cause::<T>(AuditOutcome::Error, rejection)
            }
        }
    }

    /// Ends a call that a pipeline stage denies.
    pub(super) fn denied(self, denial: Denial) -> Reply {
        self.finished_request(Err(denial))
    }

    /// Ends a request for which no handler runs.
    pub(super) fn finished_request<T>(
        mut self,
        result: Result<T, Denial>,
    ) -> Result<T, ErrorObject> {
        match result {
            Ok(value) => {
                self.finish(AuditOutcome::Success, None, "");
                Ok(value)
            }
            Err(denial) => {
                self.finish(denial.outcome, None, &denial.detail);
                #[cfg(feature = "otel")]
                otel::record_error(&self.span, &denial.error);
                Err(denial.error)
            }
        }
    }

    /// Ends a dry run, and returns a reply with `text`.
    pub(super) fn dry_run<T: Definition>(mut self, text: &str) -> Reply {
        self.finish(AuditOutcome::DryRun, None, "");
        T::failure(text)
    }

    /// Records that a call was cancelled, for a handler that ran to its end after the cancellation.
    pub(super) fn cancelled(&mut self) {
        self.outcome().set(AuditOutcome::Cancelled);
    }

    /// Records the result that the handler has returned.
    pub(super) fn returned<T: Definition>(&mut self, value: &T::Value) {
        let failed = T::is_failure(value);
        #[cfg(feature = "otel")]
        if failed {
            otel::record_tool_error(&self.span);
        }
        let outcome = match failed {
            _ if T::is_not_found(value) => AuditOutcome::Unknown,
            true => AuditOutcome::Error,
            false => AuditOutcome::Success,
        };
        self.finish(outcome, Some(T::content_bytes(value)), "");
    }

    /// Marks the span as failed if the reply is an error.
    pub(super) fn traced_result(&self, reply: Reply) -> Reply {
        match reply {
            Ok(payload) => Ok(payload),
            Err(_) => self.traced(reply),
        }
    }

    /// Records an error of the handler. The reply contains the public text of the error, and the
    /// log contains its causes.
    pub(super) fn failed<T: Definition>(&mut self, error: &ToolError, masked: bool) -> Reply {
        match error.client_message(masked) {
            Some(text) => {
                self.finish(AuditOutcome::Error, None, error.log_detail());
                let reply = T::failure(&self.secrets.redact(text));
                self.traced(reply)
            }
            None => self.hide_cause::<T>(AuditOutcome::Error, &error.log_detail()),
        }
    }

    /// Records a result that exceeds the size limit, and returns the reply.
    pub(super) fn too_large<T: Definition>(&mut self, bytes: usize, limit: usize) -> Reply {
        self.finish(AuditOutcome::TooLarge, Some(bytes), "");
        self.traced(T::failure(&format!(
            "the result has {bytes} bytes, and the limit is {limit}; \
             narrow the request, or request the result in parts"
        )))
    }

    /// Records that the call ended with input requests, after which the client calls again.
    pub(super) fn input_required(&mut self) {
        self.finish(AuditOutcome::InputRequired, None, "");
    }

    /// Records a protocol error, such as a missing capability or an invalid input response.
    pub(super) fn rejected(&mut self, error: ErrorObject) -> ErrorObject {
        self.finish(AuditOutcome::Invalid, None, &error.message);
        #[cfg(feature = "otel")]
        otel::record_error(&self.span, &error);
        error
    }

    /// Records a panic of the handler. The message of the panic is written to the log only.
    pub(super) fn panicked<T: Definition>(&mut self, panic: &(dyn Any + Send)) -> Reply {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("a panic without a message");
        self.hide_cause::<T>(AuditOutcome::Panic, &text)
    }

    /// Logs `cause` with an error id, and returns a reply that contains only the id.
    fn hide_cause<T: Definition>(
        &mut self,
        outcome: AuditOutcome,
        cause: &dyn fmt::Display,
    ) -> Reply {
        let sink_record = self.sink_record.as_ref();
        let id = sink_record.map_or_else(correlation_id, |it| it.correlation_id().to_owned());
        self.finish(outcome, None, &format!("{cause} [error {id}]"));
        let word = T::WORD;
        self.traced(T::failure(&format!(
            "the {word} failed for a reason that is not shown; see error {id} in the server's log"
        )))
    }

    /// Names the span of the call after its definition.
    pub(super) fn record_definition<T: Definition>(&self, definition: &T) {
        #[cfg(feature = "otel")]
        otel::set_span_name(&self.span, definition);
        #[cfg(not(feature = "otel"))]
        let _ = definition;
    }

    /// Marks the span of the call as failed.
    fn traced(&self, reply: Reply) -> Reply {
        #[cfg(feature = "otel")]
        match &reply {
            Ok(_) => otel::record_tool_error(&self.span),
            Err(error) => otel::record_error(&self.span, error),
        }
        reply
    }

    fn finish(&mut self, outcome: AuditOutcome, bytes: Option<usize>, detail: &str) {
        self.finished = true;
        let set = self.outcome.as_ref();
        let outcome = set.and_then(CallOutcome::get).unwrap_or(outcome);
        let decision = match self.needs_consent {
            true => set
                .and_then(CallOutcome::decision)
                .unwrap_or(AuditDecision::Withheld),
            false => outcome.decision(),
        };
        let detail = &*self.secrets.redact(detail);
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
        if let Some(sink_record) = &mut self.sink_record {
            sink_record.write(outcome, decision, micros, bytes, detail);
        }
    }
}

impl Drop for CallRecord {
    fn drop(&mut self) {
        if !self.finished {
            self.finish(AuditOutcome::Cancelled, None, "");
        }
    }
}
