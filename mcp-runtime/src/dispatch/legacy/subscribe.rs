use std::sync::Arc;

use crate::call::{self, Execution, Reply};
use crate::dispatch::builtin_method::{BuiltinMethod, LEGACY, RoutedRequest, empty_result};
use crate::dispatch::capabilities::Capability;
use crate::dispatch::core::Core;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::ReadResourceRequestParams;

/// The method that subscribes the session to a resource.
///
/// The server rejects a caller that is not allowed to read the resource.
pub(super) const SUBSCRIBE: BuiltinMethod = BuiltinMethod::new(
    "resources/subscribe",
    LEGACY,
    Capability::Subscribe,
    |core, routed| Execution::Ready(subscribe(core, routed)),
);

/// The method that ends a resource subscription. It succeeds even if the session has no such
/// subscription.
pub(super) const UNSUBSCRIBE: BuiltinMethod = BuiltinMethod::new(
    "resources/unsubscribe",
    LEGACY,
    Capability::Subscribe,
    |_, routed| {
        Execution::Ready(uri(routed).map(|uri| {
            routed.connection.session().unsubscribe(&uri);
            empty_result()
        }))
    },
);

fn subscribe(core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Reply {
    let uri = uri(routed)?;
    let method = SUBSCRIBE.method;
    let found = call::permit_reading(&core.server, routed.parts, method, &uri)?;
    if !found.resource.subscribe {
        let uri = crate::text::truncate(&uri, 200);
        let message = format!("`{uri}` does not notify of changes");
        return Err(ErrorObject::invalid_params(message));
    }
    match routed.connection.session().subscribe(uri) {
        true => Ok(empty_result()),
        false => Err(ErrorObject::new(
            ErrorCode::INTERNAL_ERROR,
            "this session has as many subscriptions as it may have; end one first",
        )),
    }
}

fn uri(routed: &RoutedRequest<'_>) -> Result<String, ErrorObject> {
    match serde_json::from_str::<ReadResourceRequestParams<'_>>(routed.params()) {
        Ok(params) => Ok(params.uri.into_owned()),
        Err(_) => {
            let method = &routed.request.method;
            Err(ErrorObject::invalid_params(format!(
                "`{method}` needs `uri`, a string"
            )))
        }
    }
}
