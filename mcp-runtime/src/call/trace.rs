use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;
use tracing::Span;

use crate::context::RequestScope;

/// The span that all stages of a call run in, as part of its client's trace.
pub(super) fn span(scope: &RequestScope<'_>, method: &'static str, name: &str) -> Span {
    let span = tracing::info_span!(
        target: "mcp_runtime::call",
        "call",
        method,
        name,
        request_id = %scope.id,
        revision = scope.revision.as_str(),
        channel = scope.channel.as_str(),
        principal = scope.principal_id(),
        trace_id = tracing::field::Empty,
        parent_id = tracing::field::Empty,
        otel.kind = tracing::field::Empty,
        otel.name = tracing::field::Empty,
    );
    // Nobody looks, as on most servers: then the call must not pay for it.
    if span.is_disabled() {
        return span;
    }
    if let Some(parent) = TraceParent::of(scope.meta) {
        span.record("trace_id", parent.trace_id);
        span.record("parent_id", parent.parent_id);
    }
    #[cfg(feature = "otel")]
    super::otel::begin(&span, scope, method, name);
    span
}

/// Where a client's trace goes on (W3C Trace Context, as `traceparent` of `_meta`).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TraceParent<'a> {
    /// 32 hexadecimal digits, not all zero.
    pub(super) trace_id: &'a str,
    /// 16 hexadecimal digits, not all zero.
    pub(super) parent_id: &'a str,
    /// Bit 0: the client records its part of the trace.
    #[cfg(feature = "otel")]
    pub(super) flags: u8,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    traceparent: &'a str,
}

impl<'a> TraceParent<'a> {
    /// What the `_meta` of a request says; what is malformed is ignored, as the
    /// recommendation wants.
    pub(super) fn of(meta: Option<&'a str>) -> Option<Self> {
        static WORD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("traceparent"));
        let json = meta?;
        WORD.find(json.as_bytes())?;
        Self::parse(serde_json::from_str::<Meta<'_>>(json).ok()?.traceparent)
    }

    fn parse(text: &'a str) -> Option<Self> {
        let mut fields = text.split('-');
        let (version, trace_id) = (fields.next()?, fields.next()?);
        let (parent_id, flags) = (fields.next()?, fields.next()?);
        let is_hex = |field: &str, length: usize| {
            field.len() == length
                && field
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_id =
            |field: &str, length| is_hex(field, length) && field.bytes().any(|byte| byte != b'0');
        // Later versions may append fields; version 00 has exactly four.
        let legal = is_hex(version, 2)
            && version != "ff"
            && (version != "00" || fields.next().is_none())
            && is_id(trace_id, 32)
            && is_id(parent_id, 16)
            && is_hex(flags, 2);
        legal.then_some(Self {
            trace_id,
            parent_id,
            #[cfg(feature = "otel")]
            flags: u8::from_str_radix(flags, 16).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_parent_is_one() {
        let check = |text: &str, expected: bool| {
            assert_eq!(TraceParent::parse(text).is_some(), expected, "{text}");
        };
        check(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            true,
        );
        check(
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            true,
        );
        check(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            false,
        );
        check(
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            false,
        );
        check(
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            false,
        );
        check(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            false,
        );
        check(
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            false,
        );
        check(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            false,
        );
        check("", false);
    }
}
