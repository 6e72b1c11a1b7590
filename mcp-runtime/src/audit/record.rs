use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::clock::Clock;
use crate::context::TransportKind;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;
use crate::text::iso8601_micros;

/// The audit record of one call, or of one rejected token.
///
/// The JSON form is stable: fields may be added, and their meaning only changes with
/// [`version`](Self::version). An unknown value is `null`.
/// See [`AuditSink`](super::AuditSink) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// The version of the JSON form, currently 1.
    pub version: u32,
    /// When the call arrived, in UTC (RFC 3339, with microseconds).
    pub time: String,
    /// The id of this call in the log and in errors for clients.
    pub correlation_id: String,
    /// The JSON-RPC id, which is only unique in its session.
    pub request_id: Option<RequestId>,
    /// The method, for example `tools/call`.
    pub method: &'static str,
    /// The name in the request, truncated to 128 characters.
    pub name: String,
    /// The id of the authenticated caller.
    pub principal: Option<String>,
    /// The transport of the call, written as `channel`.
    #[serde(rename = "channel", serialize_with = "serialize_transport")]
    pub transport: TransportKind,
    /// The protocol revision of the request.
    #[serde(serialize_with = "serialize_revision")]
    pub revision: Option<Revision>,
    /// The names or the values of the arguments, as configured with
    /// [`AuditArguments`](super::AuditArguments).
    pub arguments: Value,
    /// The SHA-256 digest of the arguments as canonical JSON, with `"[redacted]"` for
    /// secrets, in hexadecimal: equal for equal arguments.
    ///
    /// It is set if only the names of arguments are recorded, and requires the feature
    /// `input-requests`. Guessed values can be verified against it.
    pub digest: Option<String>,
    /// JSON pointers to the arguments that were coerced.
    pub coerced: Vec<String>,
    /// Whether the handler was allowed to run.
    pub decision: AuditDecision,
    /// How the call ended.
    pub outcome: AuditOutcome,
    /// The duration of the call, in microseconds of a monotonic clock.
    pub duration_micros: u64,
    /// The size of the result's content, in bytes.
    pub bytes: Option<u64>,
    /// The error with its causes, or the reason for a rejection.
    pub detail: String,
}

/// Whether a handler was allowed to run; see [`AuditRecord::decision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditDecision {
    /// All checks passed.
    Allowed,
    /// All checks passed, and the user approved.
    Approved,
    /// All checks passed, consent could not be requested, and the server
    /// [allows that](crate::Server::consent_fallback).
    Excused,
    /// A check failed, or the user has not approved.
    Withheld,
}

impl AuditDecision {
    /// The value in the JSON form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Approved => "approved",
            Self::Excused => "excused",
            Self::Withheld => "withheld",
        }
    }
}

/// How a call ended; see [`AuditRecord::outcome`].
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
    /// The call ended with input requests; the client calls again.
    Asked,
    /// No definition has the name.
    Unknown,
    /// The arguments are invalid.
    Invalid,
    /// The token is invalid.
    BadToken,
    /// The call requires an authenticated caller.
    Unauthenticated,
    /// The caller lacks a scope.
    Forbidden,
    /// An authorizer denied the call.
    Denied,
    /// A rate or concurrency limit was exceeded.
    RateLimited,
    /// The user did not approve.
    Refused,
    /// The call requires consent, which could not be requested.
    Unconfirmed,
    /// The call was a dry run.
    DryRun,
    /// The call was rejected because audit records cannot be written.
    Stopped,
}

impl AuditOutcome {
    /// The decision that follows from the outcome of a call without consent.
    pub(crate) const fn decision(self) -> AuditDecision {
        match self {
            Self::Success
            | Self::Error
            | Self::Panic
            | Self::Cancelled
            | Self::TimedOut
            | Self::TooLarge
            | Self::Asked => AuditDecision::Allowed,
            Self::Unknown
            | Self::Invalid
            | Self::BadToken
            | Self::Unauthenticated
            | Self::Forbidden
            | Self::Denied
            | Self::RateLimited
            | Self::Refused
            | Self::Unconfirmed
            | Self::DryRun
            | Self::Stopped => AuditDecision::Withheld,
        }
    }

    /// The value in the JSON form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::Asked => "asked",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
            Self::BadToken => "bad_token",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::Denied => "denied",
            Self::RateLimited => "rate_limited",
            Self::Refused => "refused",
            Self::Unconfirmed => "unconfirmed",
            Self::DryRun => "dry_run",
            Self::Stopped => "stopped",
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

/// Returns the current time in the form of records; a clock before 1970 counts as 1970.
pub(crate) fn now(clock: &Clock) -> String {
    iso8601_micros(clock.since_epoch().unwrap_or_default())
}
