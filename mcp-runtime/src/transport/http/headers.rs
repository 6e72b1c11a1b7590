use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::session::SessionId;
use crate::protocol::Revision;

pub(crate) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// A header that is there more than once, or is no text: nobody can say what it means.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Illegible;

/// The value of a header without the spaces around it.
pub(super) fn text<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Illegible> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(Illegible);
    }
    let value = value.to_str().map_err(|_| Illegible)?;
    Ok(Some(value.trim_matches([' ', '\t'])))
}

/// What `MCP-Protocol-Version` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Absent,
    Known(Revision),
    Unknown,
}

pub(super) fn version(headers: &HeaderMap) -> Version {
    match text(headers, &PROTOCOL_VERSION) {
        Ok(None) => Version::Absent,
        Ok(Some(version)) => version.parse().map_or(Version::Unknown, Version::Known),
        Err(Illegible) => Version::Unknown,
    }
}

impl Version {
    pub(super) fn is_modern(self) -> bool {
        matches!(self, Self::Known(revision) if revision.is_modern())
    }
}

/// What `Mcp-Session-Id` says; an id that cannot be one of ours is an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Nothing,
    Session(SessionId),
    Unknown,
}

pub(super) fn session(headers: &HeaderMap) -> Named {
    match text(headers, &SESSION_ID) {
        Ok(None) => Named::Nothing,
        Ok(Some(id)) => SessionId::parse(id).map_or(Named::Unknown, Named::Session),
        Err(Illegible) => Named::Unknown,
    }
}

/// What the client takes as a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// A client that does not say takes anything.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut accepts = Self {
            json: false,
            events: false,
        };
        let mut said = false;
        for value in headers.get_all(header::ACCEPT) {
            said = true;
            for range in value.as_bytes().split(|byte| *byte == b',') {
                accepts.add(media_type(range));
            }
        }
        if said {
            return accepts;
        }
        Self {
            json: true,
            events: true,
        }
    }

    fn add(&mut self, range: &[u8]) {
        let is = |name: &str| range.eq_ignore_ascii_case(name.as_bytes());
        self.json |= is("application/json") || is("application/*") || is("*/*");
        self.events |= is("text/event-stream") || is("text/*") || is("*/*");
    }
}

/// Whether the body is said to be JSON; a page from elsewhere cannot say so unasked.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    value.is_some_and(|value| media_type(value).eq_ignore_ascii_case(b"application/json"))
}

/// A media type without its parameters.
fn media_type(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|byte| *byte == b';');
    value[..end.unwrap_or(value.len())].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_is_read_as_http_wants() {
        let check = |accept: Option<&str>, json, events| {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            assert_eq!(
                Accepts::of(&headers),
                Accepts { json, events },
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
