use super::admit::{admit, admit_unknown};
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
/// The check counts towards the limits and is audited like a read. All URIs without a resource
/// share one rate limit.
///
/// # Errors
/// Returns the error for the client if the caller may not read the resource.
pub(crate) fn permit_reading(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    method: &'static str,
    uri: &str,
) -> Result<ResourceMatch, ErrorObject> {
    let record = CallRecord::open(server, parts, method, uri);
    let snapshot = server.registry.snapshot();
    let permitted = match resolve::resource(&snapshot, uri, parts.revision) {
        Ok(found) => {
            let not_found = || codec::resource_not_found(parts.revision, uri);
            let meta = found.resource.meta();
            authorize(server, meta, parts, uri, not_found)
                .and_then(|()| admit(server, &meta.name, parts, method))
                .map(|_| found)
        }
        Err(error) => {
            admit_unknown(server, parts, method).and_then(|()| Err(Denial::unknown(error)))
        }
    };
    record.finished_request(permitted)
}
