//! The audit log, which has one record for every call.

mod json_lines;
mod log;
mod panic_redaction;
mod record;
mod redact;
mod secrets;

pub use json_lines::JsonLines;
pub(crate) use log::AuditLog;
pub use log::{AuditArguments, AuditError, AuditSink};
pub(crate) use panic_redaction::with_redacted_panics;
pub(crate) use record::now;
pub use record::{AuditDecision, AuditOutcome, AuditRecord};
pub(crate) use redact::REDACTED;
pub(crate) use secrets::Secrets;

#[cfg(test)]
mod tests;
