//! Revisions with a handshake, up to 2025-11-25.

use serde_json::Value;
use serde_json::value::RawValue;

use super::Peer;
use super::table::Routed;
use crate::call::Reply;
use crate::codec::Payload;
use crate::context::ClientProfile;
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::{InitializeRequestParams, InitializeResult, JsonObject, Revision, meta};

/// Methods that are answered before the handshake.
const BEFORE_INITIALIZE: [&str; 2] = ["initialize", "ping"];

/// The revision that a request without a claim speaks.
pub(super) fn route(request: &Request<'_>, peer: &Peer) -> Result<Revision, ErrorObject> {
    if let Some(revision) = peer.revision() {
        return Ok(revision);
    }
    if BEFORE_INITIALIZE.contains(&request.method.as_ref()) {
        return Ok(Revision::NEWEST_LEGACY);
    }
    if request.method == "server/discover" {
        return Err(ErrorObject::invalid_params(format!(
            "`server/discover` needs `_meta` with `{}` and `{}`",
            meta::PROTOCOL_VERSION,
            meta::CLIENT_CAPABILITIES
        )));
    }
    Err(ErrorObject::invalid_request(
        "send `initialize` first, or claim a protocol version in `_meta`",
    ))
}

/// Agrees on a revision: the client's if it is served, else the newest one
/// (specification, *Lifecycle*, *Version negotiation*).
pub(super) fn initialize(dispatcher: &super::Dispatcher, call: &Routed<'_>) -> Reply {
    let params = call.request.params.map_or("{}", RawValue::get);
    let params: InitializeRequestParams = serde_json::from_str(params).map_err(|_| {
        ErrorObject::invalid_params(
            "`initialize` needs `protocolVersion`, `capabilities` and `clientInfo`",
        )
    })?;
    let asked = params.protocol_version.parse().ok();
    let revision = asked
        .filter(|revision: &Revision| !revision.is_modern())
        .unwrap_or(Revision::NEWEST_LEGACY);
    call.peer.negotiate(
        revision,
        ClientProfile {
            info: Some(params.client_info),
            capabilities: params.capabilities,
        },
    );
    let core = dispatcher.core();
    let mut server_info = core.info.clone();
    if revision < Revision::V2025_11_25 {
        server_info.description = None;
        server_info.website_url = None;
    }
    if revision < Revision::V2025_06_18 {
        server_info.title = None;
    }
    object(&InitializeResult {
        protocol_version: revision.to_string(),
        capabilities: dispatcher.capabilities(),
        server_info,
        instructions: core.instructions.clone(),
    })
}

/// Answers that somebody is there.
pub(super) fn ping() -> Reply {
    Ok(Payload::Object(JsonObject::new()))
}

/// A result from a type of the protocol.
fn object<T: serde::Serialize>(result: &T) -> Reply {
    match serde_json::to_value(result) {
        Ok(Value::Object(members)) => Ok(Payload::Object(members)),
        _ => Err(ErrorObject::internal()),
    }
}
