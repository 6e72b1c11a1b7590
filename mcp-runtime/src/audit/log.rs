use std::error::Error as StdError;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::AuditRecord;
use super::redact::{Redactor, names};
use crate::seal::{canonical, digest};

/// Why a record could not be written.
pub type AuditError = Box<dyn StdError + Send + Sync>;

/// Takes every record; it is called where the call ends, so it must be quick.
///
/// Implemented for closures:
///
/// ```
/// use mcp_runtime::{Server, audit::AuditRecord};
///
/// let server = Server::new("example", "1.0.0").audit(|record: &AuditRecord| {
///     eprintln!("{} {:?}", record.name, record.outcome);
///     Ok(())
/// });
/// ```
pub trait AuditSink: Send + Sync + 'static {
    /// Writes `record` down.
    ///
    /// # Errors
    /// Where it could not: the operator is told, and a server that
    /// [requires](crate::Server::audit_required) the sink stops to serve calls.
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError>;
}

impl<F> AuditSink for F
where
    F: Fn(&AuditRecord) -> Result<(), AuditError> + Send + Sync + 'static,
{
    fn record(&self, record: &AuditRecord) -> Result<(), AuditError> {
        self(record)
    }
}

/// What a record says about arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditArguments {
    /// Nothing.
    Nothing,
    /// Their names, as a list, and a [digest](super::AuditRecord::digest) of the rest.
    #[default]
    Names,
    /// Their values too, as an object, except of secrets: arguments with
    /// `#[arg(secret)]`, and members at any depth whose name contains `password`,
    /// `token`, `secret` or the like, in whatever case.
    Values,
}

/// The sinks of a server.
#[derive(Clone, Default)]
pub(crate) struct AuditLog {
    sinks: Vec<Sink>,
    arguments: AuditArguments,
    redactor: Redactor,
    /// Whether a required sink failed the last time.
    failed: Arc<AtomicBool>,
}

#[derive(Clone)]
struct Sink {
    sink: Arc<dyn AuditSink>,
    required: bool,
}

impl AuditLog {
    pub(crate) fn add(&mut self, sink: impl AuditSink, required: bool) {
        let sink = Arc::new(sink);
        self.sinks.push(Sink { sink, required });
    }

    pub(crate) fn set_arguments(&mut self, arguments: AuditArguments) {
        self.arguments = arguments;
    }

    pub(crate) fn redact(&mut self, part: &str) {
        self.redactor.add(part);
    }

    /// Whether the value of that name is never shown.
    #[cfg(feature = "client-log")]
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        self.redactor.is_secret(name)
    }

    /// Whether anybody takes records; if not none need be made.
    pub(crate) fn is_used(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Whether calls must wait until records can be written again.
    pub(crate) fn is_stopped(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// What a record may say about `arguments`, and their digest where that is not
    /// all; `secrets` are names that the tool keeps, and where they are not known
    /// nothing is told of any value.
    pub(crate) fn shown(
        &self,
        arguments: Option<&str>,
        secrets: Option<&[&str]>,
    ) -> (Value, Option<String>) {
        let Some(Ok(Value::Object(arguments))) = arguments.map(serde_json::from_str) else {
            return (Value::Null, None);
        };
        let redactor = &self.redactor;
        match (self.arguments, secrets) {
            (AuditArguments::Nothing, _) => (Value::Null, None),
            (AuditArguments::Values, Some(secrets)) => (redactor.shown(&arguments, secrets), None),
            (AuditArguments::Names, Some(secrets)) => {
                let kept = redactor.without_secrets(arguments.clone(), secrets);
                (names(&arguments), digest(&canonical(&kept)))
            }
            (AuditArguments::Names | AuditArguments::Values, None) => (names(&arguments), None),
        }
    }

    /// Gives `record` to every sink; one that fails or panics keeps it from no other.
    pub(crate) fn write(&self, record: &AuditRecord) {
        let mut failed = false;
        for Sink { sink, required } in &self.sinks {
            let written = catch_unwind(AssertUnwindSafe(|| sink.record(record)));
            let problem = match written {
                Ok(Ok(())) => continue,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the sink panicked".to_owned(),
            };
            failed |= *required;
            tracing::error!(
                target: "mcp_runtime::audit",
                correlation_id = record.correlation_id, name = record.name,
                "an audit record could not be written: {problem}"
            );
        }
        self.failed.store(failed, Ordering::Release);
    }
}

impl fmt::Debug for AuditLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "AuditLog({} sinks)", self.sinks.len())
    }
}
