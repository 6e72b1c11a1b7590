//! Revisions without a handshake, since 2026-07-28: each request speaks for itself.

pub(super) mod listen;
pub(super) mod tasks;

use std::borrow::Cow;

use serde_json::{Value, json};

use super::table::{MODERN, Routed, Row};
use crate::call::{Reply, Work};
use crate::codec::{self, Payload};
use crate::jsonrpc::{self, ErrorCode, ErrorObject, Members, Request};
use crate::protocol::{DiscoverResult, LoggingLevel, Revision, meta};

/// The methods that these revisions alone have.
pub(super) const ROWS: [Row; 2] = [
    Row::free("server/discover", MODERN, |dispatcher, call| {
        Work::Ready(discover(dispatcher, call))
    })
    .without_bodies(),
    listen::LISTEN,
];

/// What is served to requests that claim a version.
pub(super) const SUPPORTED: [Revision; 1] = [Revision::V2026_07_28];

/// A request whose `_meta` was looked into, once for all who need it.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) request: Request<'a>,
    pub(crate) meta: Option<&'a str>,
    /// What a stateless request says of itself.
    pub(crate) claim: Option<Claim<'a>>,
}

impl<'a> Opened<'a> {
    pub(crate) fn new(request: Request<'a>) -> Self {
        let meta = request.meta();
        let claim = meta.and_then(|meta| Claim::of(&request, meta));
        Self {
            request,
            meta,
            claim,
        }
    }
}

/// The keys of `_meta` that every request must have, as they stand there.
#[derive(Debug, Default)]
pub(crate) struct Claim<'a> {
    version: Option<&'a str>,
    capabilities: Option<&'a str>,
    log_level: Option<&'a str>,
}

impl<'a> Claim<'a> {
    /// That of a request which means to be stateless: it says its version itself, or
    /// it is of a method that only stateless servers have and says a part of it.
    ///
    /// What is said twice leaves nothing that was said.
    fn of(request: &Request<'_>, meta: &'a str) -> Option<Self> {
        let (mut claim, mut ambiguous) = (Self::default(), false);
        for (key, value) in Members::of(meta) {
            let place = match &*key {
                meta::PROTOCOL_VERSION => &mut claim.version,
                meta::CLIENT_CAPABILITIES => &mut claim.capabilities,
                meta::LOG_LEVEL => &mut claim.log_level,
                _ => continue,
            };
            ambiguous |= place.replace(value).is_some();
        }
        let partly = claim.capabilities.is_some() && request.method == "server/discover";
        let claims = claim.version.is_some() || partly;
        claims.then(|| if ambiguous { Self::default() } else { claim })
    }

    /// The version as it was claimed, if it is a string.
    pub(crate) fn version(&self) -> Option<Cow<'a, str>> {
        jsonrpc::text(self.version?)
    }

    /// The revision that a request claims, once its claim is complete
    /// (specification of 2026-07-28, *Versioning*).
    pub(crate) fn revision(&self) -> Result<Revision, ErrorObject> {
        let Some(version) = self.version() else {
            return Err(missing(meta::PROTOCOL_VERSION, "a string"));
        };
        let revision = version.parse().ok();
        let Some(revision) = revision.filter(|revision| SUPPORTED.contains(revision)) else {
            return Err(unsupported(&version));
        };
        match self.capabilities {
            Some(capabilities) if capabilities.starts_with('{') => Ok(revision),
            _ => Err(missing(meta::CLIENT_CAPABILITIES, "an object")),
        }
    }

    /// From which level on the request wants log messages, if from any.
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
    let supported = SUPPORTED.map(Revision::as_str);
    ErrorObject::new(
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        "the protocol version of this request is not served",
    )
    .with_data(json!({ "supported": supported, "requested": requested }))
}

/// Tells what the server is.
fn discover(dispatcher: &super::Dispatcher, call: &Routed<'_>) -> Reply {
    let revision = call.scope.revision;
    let offer = dispatcher.offer(call.peer, revision);
    let core = dispatcher.core();
    let result = DiscoverResult {
        supported_versions: SUPPORTED.map(|revision| revision.to_string()).to_vec(),
        capabilities: codec::capabilities(offer.to_protocol(), revision),
        instructions: core.instructions.clone(),
    };
    match serde_json::to_value(&result) {
        Ok(Value::Object(members)) => Ok(Payload::Cacheable(members, core.service.cache)),
        _ => Err(ErrorObject::internal()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonrpc::{Frame, Message};

    /// Of a request with that `_meta`: which revision it claims, if it claims one.
    #[track_caller]
    fn check(method: &str, meta: &str, expected: Option<Result<Revision, ErrorCode>>) {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"_meta":{meta}}}}}"#
        );
        let Frame::Single(Ok(Message::Request(request))) = Frame::parse(frame.as_bytes()) else {
            panic!("{frame}");
        };
        let claim = Opened::new(request).claim;
        let revision = claim.map(|claim| claim.revision().map_err(|error| error.code));
        assert_eq!(revision, expected, "{frame}");
    }

    const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    const CAPABILITIES: &str = r#""io.modelcontextprotocol/clientCapabilities":{}"#;

    #[test]
    fn a_claim_is_complete_or_an_error() {
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
    fn what_claims_no_version_has_no_claim() {
        check("ping", &format!("{{{CAPABILITIES}}}"), None);
        // What is deeper inside, or a text, is not said of the request.
        check("ping", &format!(r#"{{"of":{{{VERSION}}}}}"#), None);
        let text = r#"{"of":"io.modelcontextprotocol/protocolVersion"}"#;
        check("ping", text, None);
        check("ping", "null", None);
        check("ping", "{}", None);
    }
}
