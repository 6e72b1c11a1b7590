//! Revisions without a handshake, since 2026-07-28: each request speaks for itself.

pub(super) mod listen;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::table::{MODERN, Routed, Row};
use crate::call::{Reply, Work};
use crate::codec::{self, Payload};
use crate::jsonrpc::{ErrorCode, ErrorObject, Request};
use crate::protocol::{DiscoverResult, LoggingLevel, Revision, meta};

/// The methods that these revisions alone have.
pub(super) const ROWS: [Row; 2] = [
    Row::free("server/discover", MODERN, |dispatcher, call| {
        Work::Ready(discover(dispatcher, call))
    }),
    listen::LISTEN,
];

/// What is served to requests that claim a version.
pub(super) const SUPPORTED: [Revision; 1] = [Revision::V2026_07_28];

/// The keys of `_meta` that every request must have.
#[derive(Default, Deserialize)]
struct Claim {
    #[serde(default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Value>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Value>,
    #[serde(default, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<Value>,
}

impl Claim {
    fn read(meta: Option<&RawValue>) -> Self {
        let claim = meta.and_then(|meta| serde_json::from_str(meta.get()).ok());
        claim.unwrap_or_default()
    }
}

/// Whether a request means to be stateless: it says its version itself, or it
/// is of a method that only stateless servers have and says a part of it.
pub(super) fn claims(request: &Request<'_>, meta: Option<&RawValue>) -> bool {
    let Some(json) = meta else { return false };
    let names = |key: &str| json.get().contains(key);
    names(meta::PROTOCOL_VERSION)
        || (names(meta::CLIENT_CAPABILITIES) && request.method == "server/discover")
}

/// What a complete claim says of its request.
pub(super) struct Claimed {
    pub(super) revision: Revision,
    /// From which level on it wants log messages.
    pub(super) log_level: Option<LoggingLevel>,
}

/// The revision that a request claims, once its claim is complete
/// (specification of 2026-07-28, *Versioning*).
pub(super) fn route(meta: Option<&RawValue>) -> Result<Claimed, ErrorObject> {
    let claim = Claim::read(meta);
    let Some(Value::String(version)) = claim.version else {
        return Err(missing(meta::PROTOCOL_VERSION, "a string"));
    };
    let revision = version.parse().ok();
    let Some(revision) = revision.filter(|revision| SUPPORTED.contains(revision)) else {
        return Err(unsupported(&version));
    };
    let Some(Value::Object(_)) = claim.capabilities else {
        return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
    };
    let log_level = claim.log_level.map(serde_json::from_value).transpose();
    let log_level = log_level.map_err(|_| {
        let (key, choices) = (meta::LOG_LEVEL, LoggingLevel::CHOICES);
        ErrorObject::invalid_params(format!("`{key}`: {choices}"))
    })?;
    Ok(Claimed {
        revision,
        log_level,
    })
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
