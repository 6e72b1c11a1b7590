//! Tracing events of a handler as log messages for its client.
//!
//! The span of a call carries a [`Listener`]; the layer [`ClientLog`] looks for
//! one around each event. Whether a client wants a level is asked as for
//! [`Context::log`], so both eras are served alike.

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

use crate::audit::{AuditLog, HIDDEN, Secrets};
use crate::context::{Context, Mark, RequestScope};
use crate::protocol::LoggingLevel;

/// The layer that tells clients what handlers log.
///
/// It tells nothing by itself: [`Server::client_log`](crate::Server::client_log)
/// says which targets may be told. A server with
/// [`main!`](crate::main!) has the layer already; a program with a subscriber of
/// its own adds it.
///
/// ```
/// use mcp_runtime::ClientLog;
/// use tracing_subscriber::layer::SubscriberExt as _;
///
/// let subscriber = tracing_subscriber::registry().with(ClientLog);
/// # let _ = subscriber;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientLog;

/// What is told, as the server says.
#[derive(Clone, Debug)]
pub(crate) struct ToldTargets(Arc<[String]>);

impl ToldTargets {
    pub(crate) fn new(targets: impl Iterator<Item = String>) -> Self {
        Self(targets.collect())
    }

    /// Lets through what may be told, and the spans of calls, so that other
    /// events cost nothing.
    #[cfg(feature = "cli")]
    pub(crate) fn filter(&self) -> tracing_subscriber::filter::Targets {
        let named = self.0.iter().map(|target| (target.clone(), Level::TRACE));
        let calls = ("mcp_runtime::call".to_owned(), Level::INFO);
        named.chain([calls]).collect()
    }

    /// Whether the target is one of them or below one. What this crate logs is
    /// never told: the causes of errors are among it.
    fn has(&self, target: &str) -> bool {
        let below = |parent: &str| {
            let rest = target.strip_prefix(parent);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        !below("mcp_runtime") && self.0.iter().any(|parent| below(parent))
    }
}

/// Who is told of the events of one call.
#[derive(Debug)]
pub(crate) struct Listener {
    context: Arc<Context>,
    told: ToldTargets,
    /// Knows which names hold secrets.
    audit: Arc<AuditLog>,
    /// Values that nothing may show; known once the arguments are.
    secrets: OnceLock<Secrets>,
}

impl Listener {
    /// `None` for a client that wants no log messages.
    pub(crate) fn new(
        told: &ToldTargets,
        scope: &RequestScope<'_>,
        audit: &Arc<AuditLog>,
    ) -> Option<Arc<Self>> {
        scope.threshold.may_admit().then(|| {
            Arc::new(Self {
                context: Arc::clone(scope.context()),
                told: told.clone(),
                audit: Arc::clone(audit),
                secrets: OnceLock::new(),
            })
        })
    }

    /// Keeps these values out of what is told.
    pub(crate) fn hide(&self, secrets: &Secrets) {
        // A call has its arguments once.
        let _ = self.secrets.set(secrets.clone());
    }

    /// Makes a span whose events it is told of.
    pub(crate) fn of_span(self: &Arc<Self>, make: impl FnOnce() -> Span) -> Span {
        NEXT.set(Some(Arc::clone(self)));
        let span = make();
        NEXT.set(None);
        span
    }

    fn tell(&self, event: &Event<'_>) {
        let (target, level) = (event.metadata().target(), level(event.metadata().level()));
        let telling = &self.context.telling;
        if !self.told.has(target) || !telling.wants(level) {
            return;
        }
        let _mark = Mark::set();
        let mut fields = Fields {
            listener: self,
            members: Map::new(),
        };
        event.record(&mut fields);
        telling.log(level, Some(target), &fields.into_data());
    }

    /// A value without what nothing may show.
    fn shown(&self, name: &str, value: Value) -> Value {
        let secrets = self.secrets.get();
        match value {
            _ if self.audit.is_secret(name) => HIDDEN.into(),
            Value::String(text) => match secrets {
                Some(secrets) => secrets.hidden(&text).into(),
                None => text.into(),
            },
            other if secrets.is_some_and(|secrets| secrets.holds(&other.to_string())) => {
                HIDDEN.into()
            }
            other => other,
        }
    }
}

thread_local! {
    /// Whose events the span is about that is being made.
    static NEXT: RefCell<Option<Arc<Listener>>> = const { RefCell::new(None) };
}

impl<S: Subscriber + for<'span> LookupSpan<'span>> Layer<S> for ClientLog {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: LayerContext<'_, S>) {
        let listener = NEXT.with_borrow(Clone::clone);
        if let (Some(listener), Some(span)) = (listener, context.span(id)) {
            span.extensions_mut().insert(listener);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: LayerContext<'_, S>) {
        // A client is told while a lock is held that the next event would want.
        if Mark::is_set() || event.metadata().target().starts_with("mcp_runtime") {
            return;
        }
        let listener = context.event_scope(event).and_then(|mut spans| {
            spans.find_map(|span| span.extensions().get::<Arc<Listener>>().cloned())
        });
        if let Some(listener) = listener {
            listener.tell(event);
        }
    }
}

/// Tracing has no more than these; `TRACE` is told as `debug`.
fn level(level: &Level) -> LoggingLevel {
    match *level {
        Level::ERROR => LoggingLevel::Error,
        Level::WARN => LoggingLevel::Warning,
        Level::INFO => LoggingLevel::Info,
        _ => LoggingLevel::Debug,
    }
}

/// The fields of an event as JSON.
struct Fields<'a> {
    listener: &'a Listener,
    members: Map<String, Value>,
}

impl Fields<'_> {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        let name = field.name();
        let value = self.listener.shown(name, value.into());
        self.members.insert(name.to_owned(), value);
    }

    /// A message alone is a text; with fields it is one of them.
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

impl Visit for Fields<'_> {
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
