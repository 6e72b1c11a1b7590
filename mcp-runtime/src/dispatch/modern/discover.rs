use serde_json::Value;

use crate::call::{Execution, Reply};
use crate::codec::{self, Payload};
use crate::dispatch::builtin_method::{BuiltinMethod, MODERN, RoutedRequest};
use crate::dispatch::core::Core;
use crate::dispatch::request_meta::SUPPORTED_REVISIONS;
use crate::jsonrpc::ErrorObject;
use crate::protocol::DiscoverResult;

/// The method that describes the server (specification of 2026-07-28, *Discovery*).
pub(super) const DISCOVER: BuiltinMethod =
    BuiltinMethod::unconditional("server/discover", MODERN, |core, routed| {
        Execution::Ready(discover(core, routed))
    })
    .without_handlers();

fn discover(core: &Core, routed: &RoutedRequest<'_>) -> Reply {
    let revision = routed.parts.revision;
    let capabilities = core.capabilities(routed.connection, revision);
    let supported = SUPPORTED_REVISIONS.map(|revision| revision.to_string());
    let result = DiscoverResult {
        supported_versions: supported.to_vec(),
        capabilities: codec::convert_capabilities(capabilities.to_protocol(), revision),
        instructions: core.instructions.clone(),
    };
    match serde_json::to_value(&result) {
        Ok(Value::Object(members)) => Ok(Payload::Cacheable(members, core.server.cache)),
        _ => Err(ErrorObject::internal()),
    }
}
