//! The methods of protocol revisions with a handshake, up to 2025-11-25.

pub(super) mod batch;
mod initialize;
mod logging;
mod subscribe;

use super::builtin_method::{BuiltinMethod, LEGACY, empty_result};
use super::connection::Connection;
use crate::call::Execution;
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::{Revision, meta};

/// The methods that only revisions with a handshake define.
pub(super) const ROUTES: [BuiltinMethod; 5] = [
    BuiltinMethod::unconditional("initialize", LEGACY, |core, routed| {
        Execution::Ready(initialize::initialize(core, routed))
    })
    .without_handlers(),
    BuiltinMethod::unconditional("ping", LEGACY, |_, _| Execution::Ready(Ok(empty_result())))
        .without_handlers(),
    logging::SET_LEVEL,
    subscribe::SUBSCRIBE,
    subscribe::UNSUBSCRIBE,
];

/// The methods that a client may call before the handshake.
const BEFORE_INITIALIZE: [&str; 2] = ["initialize", "ping"];

/// Returns the revision of a request whose `_meta` contains no protocol version.
pub(super) fn revision_of(
    request: &Request<'_>,
    connection: &Connection,
) -> Result<Revision, ErrorObject> {
    if let Some(revision) = connection.revision() {
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
