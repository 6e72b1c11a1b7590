use std::collections::BTreeSet;

use super::admit::admit;
use super::authorize::{Denial, authorize};
use super::record::CallRecord;
use super::round_trip::CallIdentity;
use super::{Execution, Reply, ResolvedCall, ServerContext, invalid, json_object, resolve, run};
use crate::codec;
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::protocol::ReadResourceRequestParams;
use crate::registry::Definition;
use crate::registry::{RegisteredResource, ResourceMatch};

/// Runs a `resources/read` request through all stages of the pipeline.
pub(crate) fn read_resource(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    params: &str,
) -> Execution<Reply> {
    let Ok(request) = serde_json::from_str::<ReadResourceRequestParams<'_>>(params) else {
        return invalid("`resources/read` needs `uri`, a string");
    };
    let identity = CallIdentity {
        method: RegisteredResource::METHOD,
        name: &request.uri,
        arguments: None,
    };
    run::<RegisteredResource>(server, parts, identity, params, |snapshot| {
        let found = resolve::resource(snapshot, &request.uri, parts.revision)?;
        let variables = found.variables.iter().map(|(name, value)| (name, value));
        let arguments = json_object(variables);
        Ok(ResolvedCall {
            definition: found.resource,
            arguments: Some(arguments.into()),
            depth: 1,
            request: request.uri.clone().into_owned(),
            not_found: |_, parts, _, uri| codec::resource_not_found(parts.revision, uri),
            apply_middleware: |_, _, prepared| prepared,
        })
    })
}

/// Checks whether the caller may read a resource. A caller who may read a resource may also
/// subscribe to it.
///
/// The check counts towards the limits and is audited like a read. `admitted` holds the names of
/// the definitions that already count for this request.
///
/// # Errors
/// Returns the error for the client if the caller may not read the resource.
pub(crate) fn permit_reading(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    method: &'static str,
    uri: &str,
    admitted: &mut BTreeSet<String>,
) -> Result<ResourceMatch, ErrorObject> {
    let record = CallRecord::open(server, parts, method, uri);
    let snapshot = server.registry.snapshot();
    let found = resolve::resource(&snapshot, uri, parts.revision).map_err(Denial::unknown);
    let permitted = found.and_then(|found| {
        let not_found = || codec::resource_not_found(parts.revision, uri);
        authorize(server, found.resource.meta(), parts, not_found)?;
        let name = &found.resource.meta().name;
        if !admitted.contains(&**name) {
            admit(server, found.resource.meta(), parts, method)?;
            admitted.insert(name.clone().into_owned());
        }
        Ok(found)
    });
    record.finished_request(permitted)
}
