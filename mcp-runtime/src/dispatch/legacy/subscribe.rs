use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::empty;
use crate::call::{self, Reply, Work};
use crate::dispatch::capability::Capability;
use crate::dispatch::table::{LEGACY, Routed, Row};
use crate::dispatch::{Dispatcher, Peer};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::ReadResourceRequestParams;

/// Asks to be told when a resource changes, for the rest of the session.
///
/// Who may not read it may not hear of it either.
pub(super) const SUBSCRIBE: Row = Row::new(
    "resources/subscribe",
    LEGACY,
    Capability::Subscribe,
    subscribe,
);

/// Ends that; what was never begun is ended as well.
pub(super) const UNSUBSCRIBE: Row = Row::new(
    "resources/unsubscribe",
    LEGACY,
    Capability::Subscribe,
    |_, call| {
        let answer = uri(call).map(|uri| {
            call.peer.unsubscribe(&uri);
            empty()
        });
        Work::Ready(answer)
    },
);

fn subscribe(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    let permitted = uri(call).and_then(|uri| {
        let service = &dispatcher.core().service;
        let found = call::permit_reading(
            service,
            call.scope,
            SUBSCRIBE.method,
            &uri,
            &mut BTreeSet::new(),
        )?;
        match found.resource.subscribe {
            true => keep(call.peer, uri),
            false => Err(silent(&uri)),
        }
    });
    Work::Ready(permitted)
}

fn keep(peer: &Peer, uri: String) -> Reply {
    match peer.subscribe(uri) {
        true => Ok(empty()),
        false => Err(ErrorObject::new(
            ErrorCode::INTERNAL_ERROR,
            "this session has as many subscriptions as it may have; end one first",
        )),
    }
}

fn silent(uri: &str) -> ErrorObject {
    let uri = crate::text::shortened(uri, 200);
    ErrorObject::invalid_params(format!("`{uri}` does not tell when it changes"))
}

fn uri(call: &Routed<'_>) -> Result<String, ErrorObject> {
    let params = call.request.params.map_or("{}", RawValue::get);
    match serde_json::from_str::<ReadResourceRequestParams<'_>>(params) {
        Ok(params) => Ok(params.uri.into_owned()),
        Err(_) => {
            let method = &call.request.method;
            Err(ErrorObject::invalid_params(format!(
                "`{method}` needs `uri`, a string"
            )))
        }
    }
}
