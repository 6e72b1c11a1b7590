use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::json;
use serde_json::value::RawValue;

use crate::jsonrpc::{self, ErrorCode, ErrorObject, Members, Request};
use crate::protocol::{LoggingLevel, Revision, meta};

/// The protocol revisions that stateless requests can have.
pub(super) const SUPPORTED_REVISIONS: [Revision; 1] = [Revision::V2026_07_28];

/// A request with its `_meta` object, which is parsed only once.
#[derive(Debug)]
pub(crate) struct RequestWithMeta<'a> {
    pub(crate) request: Request<'a>,
    /// The JSON text of the `_meta` object.
    pub(crate) meta: Option<&'a str>,
    /// The protocol members of `_meta`, or `None` if the request is not stateless.
    pub(crate) stateless: Option<RequestMeta<'a>>,
}

impl<'a> RequestWithMeta<'a> {
    pub(crate) fn new(request: Request<'a>) -> Self {
        let meta = request.meta();
        let stateless = meta.and_then(|meta| RequestMeta::of(&request, meta));
        Self {
            request,
            meta,
            stateless,
        }
    }
}

/// The JSON texts of the `_meta` members that the protocol defines for stateless requests.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'a> {
    version: Option<&'a str>,
    capabilities: Option<&'a str>,
    log_level: Option<&'a str>,
}

impl<'a> RequestMeta<'a> {
    /// Returns the members of a stateless request, or `None` for another request. A stateless
    /// request contains a protocol version, or it is a `server/discover` request with client
    /// capabilities.
    ///
    /// If `_meta` contains a member twice, all members count as missing.
    fn of(request: &Request<'_>, meta: &'a str) -> Option<Self> {
        let (mut members, mut ambiguous) = (Self::default(), false);
        for (key, value) in Members::of(meta) {
            let member = match &*key {
                meta::PROTOCOL_VERSION => &mut members.version,
                meta::CLIENT_CAPABILITIES => &mut members.capabilities,
                meta::LOG_LEVEL => &mut members.log_level,
                _ => continue,
            };
            ambiguous |= member.replace(value).is_some();
        }
        let is_discover = members.capabilities.is_some() && request.method == "server/discover";
        let is_stateless = members.version.is_some() || is_discover;
        is_stateless.then(|| if ambiguous { Self::default() } else { members })
    }

    /// Returns the protocol version in the request, if it is a string.
    pub(crate) fn version(&self) -> Option<Cow<'a, str>> {
        jsonrpc::decode_string(self.version?)
    }

    /// Returns the protocol revision of the request, or an error if a required member is missing
    /// (specification of 2026-07-28, *Versioning*).
    pub(crate) fn revision(&self) -> Result<Revision, ErrorObject> {
        let Some(version) = self.version() else {
            return Err(missing(meta::PROTOCOL_VERSION, "a string"));
        };
        let revision = version.parse().ok();
        let Some(revision) = revision.filter(|it| SUPPORTED_REVISIONS.contains(it)) else {
            return Err(unsupported(&version));
        };
        match self.capabilities {
            Some(capabilities) if capabilities.starts_with('{') => Ok(revision),
            _ => Err(missing(meta::CLIENT_CAPABILITIES, "an object")),
        }
    }

    /// Returns the minimum level of log messages for the request, or `None` if the client wants no
    /// log messages.
    pub(super) fn log_level(&self) -> Result<Option<LoggingLevel>, ErrorObject> {
        let level = self.log_level.filter(|level| *level != "null");
        level.map(serde_json::from_str).transpose().map_err(|_| {
            let (key, choices) = (meta::LOG_LEVEL, LoggingLevel::CHOICES);
            ErrorObject::invalid_params(format!("`{key}`: {choices}"))
        })
    }
}

fn missing(key: &str, kind: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!("`_meta` needs `{key}`, {kind}"))
}

fn unsupported(requested: &str) -> ErrorObject {
    let supported = SUPPORTED_REVISIONS.map(Revision::as_str);
    ErrorObject::new(
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        "the protocol version of this request is not supported",
    )
    .with_data(json!({ "supported": supported, "requested": requested }))
}

impl<'a> Request<'a> {
    /// Returns the `_meta` object of the parameters. Parses the parameters only if they contain the
    /// text `_meta`.
    pub(crate) fn meta(&self) -> Option<&'a str> {
        static WORD: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("_meta"));
        let params = self.params.map(RawValue::get)?;
        WORD.find(params.as_bytes())?;
        let meta = Members::of(params).unique("_meta").ok()??;
        Some(meta).filter(|meta| meta.starts_with('{'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonrpc::{Frame, Message};

    /// Asserts the revision of a request with `meta`. `None` means that the request is not
    /// stateless.
    #[track_caller]
    fn check(method: &str, meta: &str, expected: Option<Result<Revision, ErrorCode>>) {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"_meta":{meta}}}}}"#
        );
        let Frame::Single(Ok(Message::Request(request))) = Frame::parse(frame.as_bytes()) else {
            panic!("{frame}");
        };
        let stateless = RequestWithMeta::new(request).stateless;
        let revision = stateless.map(|meta| meta.revision().map_err(|error| error.code));
        assert_eq!(revision, expected, "{frame}");
    }

    const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    const CAPABILITIES: &str = r#""io.modelcontextprotocol/clientCapabilities":{}"#;

    #[test]
    fn missing_members_are_errors() {
        let whole = format!("{{{VERSION},{CAPABILITIES}}}");
        check("ping", &whole, Some(Ok(Revision::V2026_07_28)));
        let escaped = whole.replace("/protocolVersion", r"\/protocol\u0056ersion");
        check("ping", &escaped, Some(Ok(Revision::V2026_07_28)));
        let missing = Some(Err(ErrorCode::INVALID_PARAMS));
        check("ping", &format!("{{{VERSION}}}"), missing);
        let null = whole.replace(r#""2026-07-28""#, "null");
        check("ping", &null, missing);
        let twice = format!("{{{VERSION},{CAPABILITIES},{VERSION}}}");
        check("ping", &twice, missing);
        let partly = format!("{{{CAPABILITIES}}}");
        check("server/discover", &partly, missing);
    }

    #[test]
    fn what_names_no_version_is_not_stateless() {
        check("ping", &format!("{{{CAPABILITIES}}}"), None);
        // Members of nested objects, and strings with the name of a member, do not count.
        check("ping", &format!(r#"{{"of":{{{VERSION}}}}}"#), None);
        let text = r#"{"of":"io.modelcontextprotocol/protocolVersion"}"#;
        check("ping", text, None);
        check("ping", "null", None);
        check("ping", "{}", None);
    }
}
