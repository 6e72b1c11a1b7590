//! What is written down of every call: one record, on whichever way it ends.

mod discreet;
mod json_lines;
mod log;
mod record;
mod redact;
mod secrets;

pub(crate) use discreet::discreetly;
pub use json_lines::JsonLines;
pub(crate) use log::AuditLog;
pub use log::{AuditArguments, AuditError, AuditSink};
pub(crate) use record::now;
pub use record::{AuditDecision, AuditOutcome, AuditRecord};
pub(crate) use redact::HIDDEN;
pub(crate) use secrets::Secrets;

#[cfg(test)]
mod tests;
