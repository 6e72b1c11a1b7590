use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::clock::Clock;
use crate::context::Channel;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;
use crate::text::iso8601_micros;

/// What is written down of one call, or of one token that was refused.
///
/// The JSON form is stable: fields are added and never change their meaning
/// without another [`version`](Self::version). A member that is not known is
/// `null`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// 1.
    pub version: u32,
    /// When the call came, in UTC (RFC 3339, microseconds).
    pub time: String,
    /// Names this call in the log and in errors that clients see.
    pub correlation_id: String,
    /// As the client counts; only unique in its session.
    pub request_id: Option<RequestId>,
    /// For example `tools/call`.
    pub method: &'static str,
    /// The name of what was called, as the client wrote it, at most 128 characters.
    pub name: String,
    /// The id of the caller, if it is known who that is.
    pub principal: Option<String>,
    /// The door that the call came through.
    #[serde(serialize_with = "channel")]
    pub channel: Channel,
    /// What the client speaks.
    #[serde(serialize_with = "revision")]
    pub revision: Option<Revision>,
    /// The names of the arguments, or their values where the server says so
    /// (see [`AuditArguments`](super::AuditArguments)).
    pub arguments: Value,
    /// SHA-256 of the arguments as canonical JSON with `"[redacted]"` for secrets,
    /// in hexadecimal digits: equal for equal arguments.
    ///
    /// It is there where the names of arguments are recorded and not their values,
    /// and needs the feature `asking`. Who can guess the values can check the guess.
    pub digest: Option<String>,
    /// Which arguments were changed to make them fit.
    pub coerced: Vec<String>,
    /// Whether the body was let run, and by whom.
    pub decision: AuditDecision,
    /// How the call ended.
    pub outcome: AuditOutcome,
    /// From the call to its end, in microseconds of a monotonic clock.
    pub duration_micros: u64,
    /// How much content the result had.
    pub bytes: Option<u64>,
    /// For the operator: the error with its causes, or why a call was refused.
    pub detail: String,
}

/// Whether a body was let run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditDecision {
    /// It passed every gate.
    Allowed,
    /// It passed every gate, and a person agreed.
    Approved,
    /// It passed every gate, nobody could be asked, and the server
    /// [allows that](crate::Server::unasked).
    Excused,
    /// No: a gate refused it, or nobody has agreed so far.
    Withheld,
}

impl AuditDecision {
    /// As it is written.
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

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AuditOutcome {
    /// The body returned a result.
    Success,
    /// The body returned an error.
    Error,
    /// The body panicked.
    Panic,
    /// The client no longer wanted the answer.
    Cancelled,
    /// The body took too long.
    TimedOut,
    /// The result was too big to be sent.
    TooLarge,
    /// The call ended with a question to the client, which calls again.
    Asked,
    /// Nothing has the name that was called.
    Unknown,
    /// The arguments do not fit.
    Invalid,
    /// The token is not good.
    BadToken,
    /// The call needs a caller who is known.
    Unauthenticated,
    /// The caller lacks a scope.
    Forbidden,
    /// An authorizer said no.
    Denied,
    /// There were too many calls.
    RateLimited,
    /// A person was asked and did not agree.
    Refused,
    /// A person had to be asked and could not be.
    Unconfirmed,
    /// Everything but the body was done.
    DryRun,
    /// No record could be written, so nothing is done.
    Stopped,
}

impl AuditOutcome {
    /// What was decided about a call that ended so, where no person has to agree.
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

    /// As it is written.
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn channel<S: Serializer>(channel: &Channel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(channel.as_str())
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn revision<S: Serializer>(revision: &Option<Revision>, serializer: S) -> Result<S::Ok, S::Error> {
    revision.map(Revision::as_str).serialize(serializer)
}

/// This moment as records have it; a clock that is set wrongly is no reason to fail
/// a call.
pub(crate) fn now(clock: &Clock) -> String {
    iso8601_micros(clock.since_1970().unwrap_or_default())
}
