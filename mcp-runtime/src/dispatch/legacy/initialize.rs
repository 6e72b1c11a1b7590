use serde_json::Value;

use crate::call::Reply;
use crate::codec::{self, Payload};
use crate::context::ClientProfile;
use crate::dispatch::builtin_method::RoutedRequest;
use crate::dispatch::core::Core;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{InitializeRequestParams, InitializeResult, Revision};

/// Negotiates the protocol revision. The server selects the revision of the client if it supports
/// it, and the newest legacy revision otherwise (specification, *Lifecycle*, *Version
/// negotiation*).
pub(super) fn initialize(core: &Core, routed: &RoutedRequest<'_>) -> Reply {
    let params: InitializeRequestParams = serde_json::from_str(routed.params()).map_err(|_| {
        ErrorObject::invalid_params(
            "`initialize` needs `protocolVersion`, `capabilities` and `clientInfo`",
        )
    })?;
    let requested = params.protocol_version.parse().ok();
    let revision = requested
        .filter(|revision: &Revision| !revision.is_modern())
        .unwrap_or(Revision::NEWEST_LEGACY);
    let profile = ClientProfile {
        info: Some(params.client_info),
        capabilities: params.capabilities,
    };
    routed.connection.negotiate(revision, profile);
    let capabilities = core.capabilities(routed.connection, revision);
    core.handle
        .register_session(routed.connection, &capabilities);
    let result = InitializeResult {
        protocol_version: revision.to_string(),
        capabilities: codec::convert_capabilities(capabilities.to_protocol(), revision),
        server_info: codec::convert_implementation(core.info.clone(), revision),
        instructions: core.instructions.clone(),
    };
    match serde_json::to_value(&result) {
        Ok(Value::Object(members)) => Ok(Payload::Object(members)),
        _ => Err(ErrorObject::internal()),
    }
}
