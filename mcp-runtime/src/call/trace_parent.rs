use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;

/// The parent span in the client's trace (W3C Trace Context, `traceparent` in `_meta`).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TraceParent<'a> {
    /// The trace id: 32 hexadecimal digits, of which at least one is not zero.
    pub(super) trace_id: &'a str,
    /// The id of the parent span: 16 hexadecimal digits, of which at least one is not zero.
    pub(super) parent_id: &'a str,
    /// The trace flags. Bit 0 is set if the client samples the trace.
    #[cfg(feature = "otel")]
    pub(super) flags: u8,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    traceparent: &'a str,
}

impl<'a> TraceParent<'a> {
    /// Reads `traceparent` from the `_meta` of a request. A malformed value is ignored, as W3C
    /// Trace Context requires.
    pub(super) fn from_meta(meta: Option<&'a str>) -> Option<Self> {
        static KEY: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("traceparent"));
        let json = meta?;
        KEY.find(json.as_bytes())?;
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
        // Later versions may append fields, but version 00 has exactly four fields.
        let is_valid = is_hex(version, 2)
            && version != "ff"
            && (version != "00" || fields.next().is_none())
            && is_id(trace_id, 32)
            && is_id(parent_id, 16)
            && is_hex(flags, 2);
        is_valid.then_some(Self {
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
