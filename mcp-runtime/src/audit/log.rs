use std::error::Error as StdError;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::AuditRecord;
use super::redact::{Redactor, argument_names};
use crate::jsonrpc::parse_lossy;
use crate::seal::{canonical, digest};

/// The error of an [`AuditSink`] that cannot write a record.
pub type AuditError = Box<dyn StdError + Send + Sync>;

/// Receives every audit record. The server calls the sink when a call ends, before it sends the
/// reply, so the sink must be fast.
///
/// The trait is implemented for closures:
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
    /// Writes an audit record.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written. The server logs the error. If the server
    /// [requires](crate::Server::audit_required) the sink, it also rejects further calls.
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

/// The part of the arguments that audit records contain. Defaults to `Names`.
///
/// ```
/// use mcp_runtime::{Server, audit::AuditArguments};
///
/// let server = Server::new("example", "1.0.0").audit_arguments(AuditArguments::Values);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditArguments {
    /// Audit records contain nothing about the arguments.
    Nothing,
    /// Audit records contain a list of the names of the arguments, and a
    /// [digest](super::AuditRecord::digest) of the names and values.
    #[default]
    Names,
    /// Audit records contain the names and values as an object. The values of secrets are redacted.
    /// Secrets are arguments with `#[arg(secret)]`, and members at any depth whose name contains
    /// `password`, `token`, `secret` or a similar word in upper or lower case.
    Values,
}

/// The audit sinks of a server and its redaction rules.
#[derive(Clone, Default)]
pub(crate) struct AuditLog {
    sinks: Vec<RegisteredSink>,
    arguments: AuditArguments,
    redactor: Redactor,
    /// Whether a required sink could not write the last record.
    failed: Arc<AtomicBool>,
    rejected_tokens: Arc<Mutex<RejectedTokens>>,
}

/// The maximum number of rejected tokens that are recorded in one second. Further rejected tokens
/// are only counted.
const REJECTED_TOKENS_PER_SECOND: u32 = 10;

/// The counts of rejected tokens in the current second.
#[derive(Debug, Default)]
struct RejectedTokens {
    since: Option<Instant>,
    recorded: u32,
    /// The number of rejected tokens that have not been recorded since the last record.
    omitted: u64,
}

#[derive(Clone)]
struct RegisteredSink {
    sink: Arc<dyn AuditSink>,
    required: bool,
}

impl AuditLog {
    pub(crate) fn add(&mut self, sink: impl AuditSink, required: bool) {
        let sink = Arc::new(sink);
        self.sinks.push(RegisteredSink { sink, required });
    }

    pub(crate) fn set_arguments(&mut self, arguments: AuditArguments) {
        self.arguments = arguments;
    }

    pub(crate) fn add_secret_name(&mut self, part: &str) {
        self.redactor.add(part);
    }

    /// Whether the value of an argument with this name is secret.
    #[cfg(feature = "client-log")]
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        self.redactor.is_secret(name)
    }

    /// Whether the server has audit sinks. Without sinks, no records are created.
    pub(crate) fn has_sinks(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// Whether calls are rejected because a required sink could not write the last record.
    pub(crate) fn is_blocked(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Returns the part of `arguments` that the record contains, and their digest if the record
    /// contains only names. `secrets` are the names of the tool's secret arguments. If `secrets` is
    /// `None`, the tool is unknown and the record contains no values.
    pub(crate) fn arguments_and_digest(
        &self,
        arguments: Option<&str>,
        secrets: Option<&[&str]>,
    ) -> (Value, Option<String>) {
        let Some(arguments) = arguments.and_then(parse_lossy) else {
            return (Value::Null, None);
        };
        let redactor = &self.redactor;
        match (self.arguments, secrets) {
            (AuditArguments::Nothing, _) => (Value::Null, None),
            (AuditArguments::Values, Some(secrets)) => {
                (redactor.redact_and_truncate(&arguments, secrets), None)
            }
            (AuditArguments::Names, Some(secrets)) => {
                let kept = redactor.redact(arguments.clone(), secrets);
                (argument_names(&arguments), digest(&canonical(&kept)))
            }
            (AuditArguments::Names | AuditArguments::Values, None) => {
                (argument_names(&arguments), None)
            }
        }
    }

    /// Checks whether to record another rejected token. Returns the number of tokens that have not
    /// been recorded since the last record, or `None` if the token must not be recorded.
    ///
    /// At most [`REJECTED_TOKENS_PER_SECOND`] tokens are recorded. Otherwise an anonymous caller
    /// could fill the log.
    pub(crate) fn admit_rejected_token(&self) -> Option<u64> {
        // Poisoning is ignored, because no code panics while it holds the lock.
        let lock = self.rejected_tokens.lock();
        let window = &mut *lock.unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let elapsed = window.since.map(|since| now.duration_since(since));
        if elapsed.is_none_or(|elapsed| elapsed >= Duration::from_secs(1)) {
            window.since = Some(now);
            window.recorded = 0;
        }
        if window.recorded >= REJECTED_TOKENS_PER_SECOND {
            window.omitted += 1;
            return None;
        }
        window.recorded += 1;
        Some(std::mem::take(&mut window.omitted))
    }

    /// Writes `record` to every sink, even if another sink fails or panics.
    pub(crate) fn write(&self, record: &AuditRecord) {
        let mut failed = false;
        for RegisteredSink { sink, required } in &self.sinks {
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
