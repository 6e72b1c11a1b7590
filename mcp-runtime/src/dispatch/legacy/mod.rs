//! Revisions with a handshake, up to 2025-11-25.

mod batch;
mod initialize;
mod logging;
mod subscribe;

pub(super) use batch::Batch;

use super::Peer;
use super::table::{LEGACY, Row};
use crate::call::Work;
use crate::codec::Payload;
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::{JsonObject, Revision, meta};

/// The methods that these revisions alone have.
pub(super) const ROWS: [Row; 5] = [
    Row::free("initialize", LEGACY, |dispatcher, call| {
        Work::Ready(initialize::initialize(dispatcher, call))
    })
    .without_bodies(),
    Row::free("ping", LEGACY, |_, _| Work::Ready(Ok(empty()))).without_bodies(),
    logging::SET_LEVEL,
    subscribe::SUBSCRIBE,
    subscribe::UNSUBSCRIBE,
];

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

/// A result that says nothing but that it is done.
fn empty() -> Payload {
    Payload::Object(JsonObject::new())
}
