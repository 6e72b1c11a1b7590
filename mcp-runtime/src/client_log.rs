//! Sends the `tracing` events of handlers to clients as log messages.
//!
//! The span of each call contains a [`CallLogger`]. For each event, the layer [`ClientLog`]
//! searches the enclosing spans for a [`CallLogger`]. As for [`Context::log`], only messages at or
//! above the log level of the client are sent.

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

/// A `tracing` layer that sends the events of handlers to clients as log messages.
///
/// The layer sends only events of the targets that you pass to
/// [`Server::client_log`](crate::Server::client_log). [`main!`](crate::main!) installs the layer.
/// If you do not use `main!`, add the layer to the subscriber of your program.
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

    /// Returns a filter for the events of these targets and the spans of calls. `tracing` skips all
    /// other events before they reach the layer.
    #[cfg(feature = "cli")]
    pub(crate) fn filter(&self) -> tracing_subscriber::filter::Targets {
        let targets = self.0.iter().map(|target| (target.clone(), Level::TRACE));
        let calls = ("mcp_runtime::call".to_owned(), Level::INFO);
        targets.chain([calls]).collect()
    }

    /// Checks whether `target` is one of these targets or a submodule of one.
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
    /// The audit log, whose settings determine which fields are redacted.
    audit: Arc<AuditLog>,
    /// The values of secret arguments. They are set after the arguments are parsed.
    secrets: OnceLock<Secrets>,
}

impl CallLogger {
    /// Creates the logger of a call. Returns `None` if the client did not request log messages.
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

    /// Redacts `secrets` in all later events.
    pub(crate) fn redact(&self, secrets: &Secrets) {
        // The arguments of a call are parsed only once, so `secrets` is not set before.
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

    /// Returns the value of the field `name` with secrets redacted.
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
        // The sender holds a lock while it sends a message. An event of the sender itself would
        // wait for the same lock. Events of this crate contain the causes of errors, which clients
        // must not receive.
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

/// Converts a `tracing` level to a log level of the protocol. `TRACE` becomes `debug`.
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

    /// Returns the message as a string. If the event has other fields, returns an object with all
    /// fields.
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
