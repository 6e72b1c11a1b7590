use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::protocol::Revision;

pub(crate) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The error for a header that occurs more than once or is not visible ASCII.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidHeader;

/// Returns the value of a header without whitespace around it, or `None` if the header is missing.
pub(super) fn text<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, InvalidHeader> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(InvalidHeader);
    }
    let value = value.to_str().map_err(|_| InvalidHeader)?;
    Ok(Some(value.trim_matches([' ', '\t'])))
}

/// The value of `MCP-Protocol-Version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VersionHeader {
    Missing,
    Known(Revision),
    Unknown,
}

impl VersionHeader {
    pub(super) fn parse(headers: &HeaderMap) -> Self {
        match text(headers, &PROTOCOL_VERSION) {
            Ok(None) => Self::Missing,
            Ok(Some(version)) => version.parse().map_or(Self::Unknown, Self::Known),
            Err(InvalidHeader) => Self::Unknown,
        }
    }

    pub(super) fn is_modern(self) -> bool {
        matches!(self, Self::Known(revision) if revision.is_modern())
    }
}

/// The id of a session, which consists of 128 random bits and is written as hexadecimal digits
/// (specification of 2025-11-25, *Session Management*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SessionId(u128);

impl SessionId {
    /// Creates a random id. Returns `None` if the operating system has no random numbers.
    pub(super) fn random() -> Option<Self> {
        let mut bytes = [0; 16];
        getrandom::getrandom(&mut bytes).ok()?;
        Some(Self(u128::from_ne_bytes(bytes)))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        // Parsing one 128-bit number takes several times as long as parsing two 64-bit numbers.
        let (high, low) = text.split_at_checked(16)?;
        let half = |digits| u64::from_str_radix(digits, 16).ok().map(u128::from);
        Some(Self(half(high)? << 64 | half(low)?))
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// The value of `Mcp-Session-Id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionHeader {
    Missing,
    Id(SessionId),
    /// The header is not an id that this server can have created.
    Invalid,
}

impl SessionHeader {
    pub(super) fn parse(headers: &HeaderMap) -> Self {
        match text(headers, &SESSION_ID) {
            Ok(None) => Self::Missing,
            Ok(Some(id)) => SessionId::parse(id).map_or(Self::Invalid, Self::Id),
            Err(InvalidHeader) => Self::Invalid,
        }
    }
}

/// The media types that the `Accept` header allows for the response. A request without the header
/// allows all types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AcceptHeader {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl AcceptHeader {
    pub(super) fn parse(headers: &HeaderMap) -> Self {
        let all = !headers.contains_key(header::ACCEPT);
        let mut accept = Self {
            json: all,
            events: all,
        };
        for value in headers.get_all(header::ACCEPT) {
            for range in value.as_bytes().split(|byte| *byte == b',') {
                accept.add(media_type(range));
            }
        }
        accept
    }

    fn add(&mut self, range: &[u8]) {
        let is = |name: &str| range.eq_ignore_ascii_case(name.as_bytes());
        self.json |= is("application/json") || is("application/*") || is("*/*");
        self.events |= is("text/event-stream") || is("text/*") || is("*/*");
    }
}

/// Whether `Content-Type` is JSON. A page of another origin cannot send this type without a CORS
/// preflight request.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    value.is_some_and(|value| media_type(value).eq_ignore_ascii_case(b"application/json"))
}

/// Returns a media type without its parameters.
fn media_type(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|byte| *byte == b';');
    value[..end.unwrap_or(value.len())].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_accept() {
        let check = |accept: Option<&str>, json, events| {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            assert_eq!(
                AcceptHeader::parse(&headers),
                AcceptHeader { json, events },
                "{accept:?}"
            );
        };
        check(None, true, true);
        check(Some("*/*"), true, true);
        check(Some("application/json, text/event-stream"), true, true);
        check(Some("Application/JSON;q=0.9"), true, false);
        check(Some("text/event-stream"), false, true);
        check(Some("text/html"), false, false);
        check(Some(""), false, false);
    }
}
