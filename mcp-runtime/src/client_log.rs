//! Sends the `tracing` events of handlers to clients, as log messages.
//!
//! The span of a call carries a [`CallLogger`], and the layer [`ClientLog`] looks for one
//! around each event. The log level of the client applies as for [`Context::log`], in
//! legacy and modern revisions.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Span, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context as LayerContext;
use tracing_subscriber::registry::LookupSpan;

use crate::audit::{AuditLog, REDACTED, Secrets};
use crate::context::{Context, ReentrancyGuard, RequestParts};
use crate::protocol::LoggingLevel;

/// A `tracing` layer that sends the events of handlers to clients, as log messages.
///
/// Only events of the targets in [`Server::client_log`](crate::Server::client_log) are
/// sent. [`main!`](crate::main!) installs the layer; add it to the subscriber of your own
/// program otherwise.
///
/// # Examples
/// ```
/// use mcp_runtime::ClientLog;
/// use tracing_subscriber::layer::SubscriberExt as _;
///
/// let subscriber = tracing_subscriber::registry().with(ClientLog);
/// # let _ = subscriber;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientLog;

/// The targets whose events may be sent to clients.
#[derive(Clone, Debug)]
pub(crate) struct LogTargets(Arc<[String]>);

impl LogTargets {
    pub(crate) fn new(targets: impl Iterator<Item = String>) -> Self {
        Self(targets.collect())
    }

    /// Returns a filter for these targets and the spans of calls, so that the layer
    /// ignores other events at no cost.
    #[cfg(feature = "cli")]
    pub(crate) fn filter(&self) -> tracing_subscriber::filter::Targets {
        let targets = self.0.iter().map(|target| (target.clone(), Level::TRACE));
        let calls = ("mcp_runtime::call".to_owned(), Level::INFO);
        targets.chain([calls]).collect()
    }

    /// Whether `target` is one of these targets or a module below one. Events of this
    /// crate are never sent, since they contain the causes of errors.
    fn contains(&self, target: &str) -> bool {
        let is_below = |parent: &str| {
            let rest = target.strip_prefix(parent);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        !is_below("mcp_runtime") && self.0.iter().any(|parent| is_below(parent))
    }
}

/// Sends the events of one call to its client.
#[derive(Debug)]
pub(crate) struct CallLogger {
    context: Arc<Context>,
    targets: LogTargets,
    /// Determines which field names belong to secrets.
    audit: Arc<AuditLog>,
    /// The secret values, set once the arguments have been read.
    secrets: OnceLock<Secrets>,
}

impl CallLogger {
    /// Returns `None` if the client does not want log messages.
    pub(crate) fn new(
        targets: &LogTargets,
        parts: &RequestParts<'_>,
        audit: &Arc<AuditLog>,
    ) -> Option<Arc<Self>> {
        parts.log_threshold.may_allow().then(|| {
            Arc::new(Self {
                context: Arc::clone(parts.context()),
                targets: targets.clone(),
                audit: Arc::clone(audit),
                secrets: OnceLock::new(),
            })
        })
    }

    /// Redacts these values in the events that follow.
    pub(crate) fn redact(&self, secrets: &Secrets) {
        // The arguments of a call are read once.
        let _ = self.secrets.set(secrets.clone());
    }

    /// Creates a span whose events this logger sends.
    pub(crate) fn attach(self: &Arc<Self>, create: impl FnOnce() -> Span) -> Span {
        NEW_SPAN_LOGGER.set(Some(Arc::clone(self)));
        let span = create();
        NEW_SPAN_LOGGER.set(None);
        span
    }

    fn log(&self, event: &Event<'_>) {
        let (target, level) = (event.metadata().target(), level(event.metadata().level()));
        let notifier = &self.context.notifier;
        if !self.targets.contains(target) || !notifier.accepts(level) {
            return;
        }
        let _guard = ReentrancyGuard::enter();
        let mut fields = EventFields {
            logger: self,
            members: Map::new(),
        };
        event.record(&mut fields);
        notifier.log(level, Some(target), &fields.into_data());
    }

    /// Returns the value of a field, with secrets redacted.
    fn redact_field(&self, name: &str, value: Value) -> Value {
        let secrets = self.secrets.get();
        match value {
            _ if self.audit.is_secret(name) => REDACTED.into(),
            Value::String(text) => match secrets {
                Some(secrets) => secrets.redact(&text).into(),
                None => text.into(),
            },
            other if secrets.is_some_and(|secrets| secrets.contains(&other.to_string())) => {
                REDACTED.into()
            }
            other => other,
        }
    }
}

thread_local! {
    /// The logger of the span that is being created.
    static NEW_SPAN_LOGGER: RefCell<Option<Arc<CallLogger>>> = const { RefCell::new(None) };
}

impl<S: Subscriber + for<'span> LookupSpan<'span>> Layer<S> for ClientLog {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: LayerContext<'_, S>) {
        let logger = NEW_SPAN_LOGGER.with_borrow(Clone::clone);
        if let (Some(logger), Some(span)) = (logger, context.span(id)) {
            span.extensions_mut().insert(logger);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: LayerContext<'_, S>) {
        // A lock is held while a message is sent; an event of the sender would need it.
        if ReentrancyGuard::is_entered() || event.metadata().target().starts_with("mcp_runtime") {
            return;
        }
        let logger = context.event_scope(event).and_then(|mut spans| {
            spans.find_map(|span| span.extensions().get::<Arc<CallLogger>>().cloned())
        });
        if let Some(logger) = logger {
            logger.log(event);
        }
    }
}

/// Maps the level of an event; `TRACE` becomes `debug`.
fn level(level: &Level) -> LoggingLevel {
    match *level {
        Level::ERROR => LoggingLevel::Error,
        Level::WARN => LoggingLevel::Warning,
        Level::INFO => LoggingLevel::Info,
        _ => LoggingLevel::Debug,
    }
}

/// Collects the fields of an event as JSON.
struct EventFields<'a> {
    logger: &'a CallLogger,
    members: Map<String, Value>,
}

impl EventFields<'_> {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        let name = field.name();
        let value = self.logger.redact_field(name, value.into());
        self.members.insert(name.to_owned(), value);
    }

    /// Returns the message as text, or an object if there are other fields.
    fn into_data(mut self) -> Value {
        match (self.members.len(), self.members.remove("message")) {
            (1, Some(message)) => message,
            (_, Some(message)) => {
                self.members.insert("message".to_owned(), message);
                Value::Object(self.members)
            }
            (_, None) => Value::Object(self.members),
        }
    }
}

impl Visit for EventFields<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value);
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }
    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.add(field, value.to_string());
    }
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}"));
    }
}
