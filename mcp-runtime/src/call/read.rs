use std::collections::BTreeSet;

use super::admit::admit;
use super::ask::Purpose;
use super::audit::Record;
use super::authorize::{Denial, authorize};
use super::target::Target;
use super::{Given, Reply, Service, Work, invalid, json_object, resolve, run};
use crate::codec;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::protocol::ReadResourceRequestParams;
use crate::registry::{Defined, Found, RegisteredResource};

/// Takes the parameters of `resources/read` through all stages.
pub(crate) fn read_resource(
    service: &Service,
    scope: &RequestScope<'_>,
    params: &str,
) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<ReadResourceRequestParams<'_>>(params) else {
        return invalid("`resources/read` needs `uri`, a string");
    };
    let purpose = Purpose {
        method: RegisteredResource::METHOD,
        name: &request.uri,
        arguments: None,
    };
    run::<RegisteredResource>(service, scope, purpose, params, |snapshot| {
        let found = resolve::resource(snapshot, &request.uri, scope.revision)?;
        let variables = found.variables.iter().map(|(name, value)| (name, value));
        let arguments = json_object(variables);
        Ok(Given {
            target: found.resource,
            arguments: Some(arguments.into()),
            depth: 1,
            request: request.uri.clone().into_owned(),
        })
    })
}

/// Whether this caller may read, and so hear of, what a URI names; it counts and
/// is written down like a read. What was `admitted` for the same request is not
/// counted again.
///
/// # Errors
/// What to answer where it may not.
pub(crate) fn permit_reading(
    service: &Service,
    scope: &RequestScope<'_>,
    method: &'static str,
    uri: &str,
    admitted: &mut BTreeSet<String>,
) -> Result<Found, ErrorObject> {
    let record = Record::open(service, scope, method, uri);
    let snapshot = service.registry.snapshot();
    let found = resolve::resource(&snapshot, uri, scope.revision).map_err(Denial::unknown);
    let permitted = found.and_then(|found| {
        let absent = || codec::resource_not_found(scope.revision, uri);
        authorize(service, &*found.resource, scope, absent)?;
        let name = &found.resource.common().name;
        if !admitted.contains(&**name) {
            admit(service, &*found.resource, scope, method)?;
            admitted.insert(name.clone().into_owned());
        }
        Ok(found)
    });
    record.ended(permitted)
}
