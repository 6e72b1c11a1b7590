use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::Reply;
use crate::codec::{self, Payload};
use crate::context::ClientProfile;
use crate::dispatch::Dispatcher;
use crate::dispatch::table::Routed;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{InitializeRequestParams, InitializeResult, Revision};

/// Agrees on a revision: the client's if it is served, else the newest one
/// (specification, *Lifecycle*, *Version negotiation*).
pub(super) fn initialize(dispatcher: &Dispatcher, call: &Routed<'_>) -> Reply {
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
    let profile = ClientProfile {
        info: Some(params.client_info),
        capabilities: params.capabilities,
    };
    call.peer.negotiate(revision, profile);
    let core = dispatcher.core();
    let offer = dispatcher.offer(call.peer, revision);
    core.live.meet(call.peer, &offer);
    let result = InitializeResult {
        protocol_version: revision.to_string(),
        capabilities: codec::capabilities(offer.to_protocol(), revision),
        server_info: codec::implementation(core.info.clone(), revision),
        instructions: core.instructions.clone(),
    };
    match serde_json::to_value(&result) {
        Ok(Value::Object(members)) => Ok(Payload::Object(members)),
        _ => Err(ErrorObject::internal()),
    }
}
