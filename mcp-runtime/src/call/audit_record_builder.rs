use std::sync::Arc;

use serde_json::Value;

use super::ServerContext;
use super::correlation::correlation_id;
use crate::argument::Coercion;
use crate::audit::{AuditDecision, AuditLog, AuditOutcome, AuditRecord, Secrets, now};
use crate::context::RequestParts;
use crate::text::truncate;

/// The maximum length of a text in a record that a client can choose, in characters.
const MAX_TEXT_LENGTH: usize = 256;

/// The audit record of one call, and the log that writes it to the audit sinks.
#[derive(Debug)]
pub(super) struct AuditRecordBuilder {
    log: Arc<AuditLog>,
    record: AuditRecord,
}

impl AuditRecordBuilder {
    /// Creates the record of a call, if the server has audit sinks.
    pub(super) fn open(
        server: &ServerContext,
        parts: &RequestParts<'_>,
        method: &'static str,
        name: &str,
    ) -> Option<Box<Self>> {
        server.audit.has_sinks().then(|| {
            Box::new(Self {
                log: Arc::clone(&server.audit),
                record: new_audit_record(server, parts, method, name),
            })
        })
    }

    pub(super) fn correlation_id(&self) -> &str {
        &self.record.correlation_id
    }

    /// Sets the arguments of the call. `secret_names` is `None` if the definition is unknown.
    pub(super) fn set_arguments(&mut self, arguments: Option<&str>, secret_names: Option<&[&str]>) {
        (self.record.arguments, self.record.digest) =
            self.log.arguments_and_digest(arguments, secret_names);
    }

    /// Sets the pointers to the coerced arguments. Secret map keys in the pointers are redacted.
    pub(super) fn set_coercions(&mut self, coercions: &[Coercion], secrets: &Secrets) {
        let pointers = coercions.iter().map(|coercion| {
            let pointer = secrets.redact(&coercion.pointer);
            truncate(&pointer, MAX_TEXT_LENGTH).into_owned()
        });
        self.record.coerced = pointers.collect();
    }

    /// Completes the record and writes it to the audit sinks.
    pub(super) fn write(
        &mut self,
        outcome: AuditOutcome,
        decision: AuditDecision,
        duration_micros: u128,
        bytes: Option<usize>,
        detail: &str,
    ) {
        let record = &mut self.record;
        record.decision = decision;
        record.outcome = outcome;
        record.bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        record.duration_micros = duration_micros.try_into().unwrap_or(u64::MAX);
        detail.clone_into(&mut record.detail);
        self.log.write(record);
    }
}

fn new_audit_record(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    method: &'static str,
    name: &str,
) -> AuditRecord {
    AuditRecord {
        version: 1,
        time: now(&server.clock),
        correlation_id: correlation_id(),
        request_id: Some(parts.id.truncated(MAX_TEXT_LENGTH)),
        method,
        name: truncate(name, 128).into_owned(),
        principal: parts
            .principal_id()
            .map(|id| truncate(id, MAX_TEXT_LENGTH).into_owned()),
        transport: parts.transport,
        revision: Some(parts.revision),
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
