//! Revisions without a handshake, since 2026-07-28: each request speaks for itself.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::lists;
use crate::call::Reply;
use crate::codec::Payload;
use crate::jsonrpc::{ErrorCode, ErrorObject, Request};
use crate::protocol::{DiscoverResult, Revision, meta};

/// What is served to requests that claim a version.
pub(super) const SUPPORTED: [Revision; 1] = [Revision::V2026_07_28];

/// The keys of `_meta` that every request must have.
#[derive(Default, Deserialize)]
struct Claim {
    #[serde(default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Value>,
    #[serde(default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Value>,
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

/// The revision that a request claims, once its claim is complete
/// (specification of 2026-07-28, *Versioning*).
pub(super) fn route(
    _request: &Request<'_>,
    meta: Option<&RawValue>,
) -> Result<Revision, ErrorObject> {
    let claim = Claim::read(meta);
    let Some(Value::String(version)) = claim.version else {
        return Err(missing(meta::PROTOCOL_VERSION, "a string"));
    };
    let revision = version.parse().ok();
    let Some(revision) = revision.filter(|revision| SUPPORTED.contains(revision)) else {
        return Err(unsupported(&version));
    };
    match claim.capabilities {
        Some(Value::Object(_)) => Ok(revision),
        _ => Err(missing(meta::CLIENT_CAPABILITIES, "an object")),
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
pub(super) fn discover(dispatcher: &super::Dispatcher) -> Reply {
    let result = DiscoverResult {
        supported_versions: SUPPORTED.map(|revision| revision.to_string()).to_vec(),
        capabilities: dispatcher.capabilities(),
        instructions: dispatcher.core().instructions.clone(),
    };
    Ok(Payload::Object(lists::cacheable(
        &result,
        Revision::V2026_07_28,
    )))
}
