use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::clock::Clock;
use crate::context::TransportKind;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;
use crate::text::iso8601_micros;

/// The audit record of one call or of one rejected token.
///
/// The JSON form is stable. New versions of this crate may add fields, but the meaning of a field
/// only changes together with [`version`](Self::version). A field whose value is unknown is `null`.
///
/// See [`AuditSink`](super::AuditSink) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// The version of the JSON form, currently 1.
    pub version: u32,
    /// The time at which the call arrived, in UTC (RFC 3339, with microseconds).
    pub time: String,
    /// The id of this call in the server's log and in errors that clients receive.
    pub correlation_id: String,
    /// The JSON-RPC id of the request, which is only unique within its session.
    pub request_id: Option<RequestId>,
    /// The method of the request, for example `tools/call`.
    pub method: &'static str,
    /// The name or URI in the request, truncated to 128 characters.
    pub name: String,
    /// The id of the authenticated caller.
    pub principal: Option<String>,
    /// The transport of the call. In the JSON form, the name of this field is `channel`.
    #[serde(rename = "channel", serialize_with = "serialize_transport")]
    pub transport: TransportKind,
    /// The protocol revision of the request.
    #[serde(serialize_with = "serialize_revision")]
    pub revision: Option<Revision>,
    /// The names or the values of the arguments, as configured with
    /// [`AuditArguments`](super::AuditArguments).
    pub arguments: Value,
    /// The SHA-256 digest of the arguments in hexadecimal. Equal arguments have equal digests. The
    /// digest is computed from canonical JSON in which `"[redacted]"` replaces each secret.
    ///
    /// The digest is set if records contain only the names of arguments. It requires the feature
    /// `input-requests`. An attacker who guesses the arguments can verify the guess with the
    /// digest.
    pub digest: Option<String>,
    /// The JSON pointers of the argument values that were coerced.
    pub coerced: Vec<String>,
    /// The decision whether the handler may run.
    pub decision: AuditDecision,
    /// The outcome of the call.
    pub outcome: AuditOutcome,
    /// The duration of the call in microseconds, measured with a monotonic clock.
    pub duration_micros: u64,
    /// The size of the result's content, in bytes. `None` if the call has no result.
    pub bytes: Option<u64>,
    /// The error of the handler with its causes, or the reason why the call was rejected.
    pub detail: String,
}

/// The decision whether a handler may run. See [`AuditRecord::decision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditDecision {
    /// All checks passed, and the handler may run.
    Allowed,
    /// All checks passed, and the user approved the call.
    Approved,
    /// All checks passed. Consent could not be requested, but the server [allows the call without
    /// consent](crate::Server::consent_fallback).
    ConsentNotRequired,
    /// A check failed or the user has not approved, and the handler may not run.
    Withheld,
}

impl AuditDecision {
    /// Returns the value in the JSON form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Approved => "approved",
            Self::ConsentNotRequired => "consent_not_required",
            Self::Withheld => "withheld",
        }
    }
}

/// The outcome of a call. See [`AuditRecord::outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditOutcome {
    /// The handler returned a result.
    Success,
    /// The handler returned an error.
    Error,
    /// The handler panicked.
    Panic,
    /// The client cancelled the call.
    Cancelled,
    /// The handler timed out.
    TimedOut,
    /// The result exceeded the size limit.
    TooLarge,
    /// The call ended with input requests, and the client has to call again.
    InputRequired,
    /// There is no definition with the name in the request.
    Unknown,
    /// The arguments are invalid.
    Invalid,
    /// The token is invalid.
    BadToken,
    /// The call requires an authenticated caller.
    Unauthenticated,
    /// The caller lacks a required scope.
    Forbidden,
    /// An authorizer denied the call.
    Denied,
    /// A rate or concurrency limit was exceeded.
    RateLimited,
    /// The user did not approve the call.
    Declined,
    /// The call requires consent, but consent could not be requested.
    ConsentUnavailable,
    /// The call was a dry run.
    DryRun,
    /// The call was rejected because audit records cannot be written.
    AuditUnavailable,
}

impl AuditOutcome {
    /// Returns the decision that follows from the outcome, for a call that needs no consent.
    pub(crate) const fn decision(self) -> AuditDecision {
        match self {
            Self::Success
            | Self::Error
            | Self::Panic
            | Self::Cancelled
            | Self::TimedOut
            | Self::TooLarge
            | Self::InputRequired => AuditDecision::Allowed,
            Self::Unknown
            | Self::Invalid
            | Self::BadToken
            | Self::Unauthenticated
            | Self::Forbidden
            | Self::Denied
            | Self::RateLimited
            | Self::Declined
            | Self::ConsentUnavailable
            | Self::DryRun
            | Self::AuditUnavailable => AuditDecision::Withheld,
        }
    }

    /// Returns the value in the JSON form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::InputRequired => "input_required",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
            Self::BadToken => "bad_token",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::Denied => "denied",
            Self::RateLimited => "rate_limited",
            Self::Declined => "declined",
            Self::ConsentUnavailable => "consent_unavailable",
            Self::DryRun => "dry_run",
            Self::AuditUnavailable => "audit_unavailable",
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is required by serde"
)]
fn serialize_transport<S: Serializer>(
    transport: &TransportKind,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(transport.as_str())
}

#[expect(clippy::ref_option, reason = "the signature is required by serde")]
fn serialize_revision<S: Serializer>(
    revision: &Option<Revision>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    revision.map(Revision::as_str).serialize(serializer)
}

/// Returns the current time in the format of audit records. If the clock shows a time before 1970,
/// returns the start of 1970.
pub(crate) fn now(clock: &Clock) -> String {
    iso8601_micros(clock.since_epoch().unwrap_or_default())
}
