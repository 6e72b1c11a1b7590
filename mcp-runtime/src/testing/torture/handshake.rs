use std::sync::Arc;

use serde_json::{Value, json};

use super::TortureRow;
use crate::auth::Principal;
use crate::dispatch::Dispatcher;
use crate::protocol::Revision;
use crate::testing::raw_client::RawClient;

/// Sends requests before the handshake and invalid handshakes.
pub(super) fn check(server: &Dispatcher, caller: Option<&Arc<Principal>>) -> Vec<TortureRow> {
    let mut raw_client = RawClient::new(server, caller);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let early = raw_client.send("a list before the handshake", &list);
    let mut rows = vec![early.expect_error(-32600)];
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    rows.push(
        raw_client
            .send("a ping before the handshake", &ping)
            .expect_result(),
    );
    let initialize = |version: &str| {
        let mut raw_client = RawClient::new(server, caller);
        raw_client.initialize(&format!("a handshake in version `{version}`"), version)
    };
    let legacy = Revision::ALL.into_iter().filter(|it| !it.is_modern());
    for revision in legacy {
        let response = initialize(revision.as_str());
        rows.push(response.expect_value("/result/protocolVersion", &json!(revision.as_str())));
    }
    for unknown in ["1999-01-01", "", "2026-07-28", "9999-12-31"] {
        let newest = Revision::NEWEST_LEGACY.as_str();
        rows.push(initialize(unknown).expect_value("/result/protocolVersion", &json!(newest)));
    }
    let response = initialize(Revision::NEWEST_LEGACY.as_str());
    let name = response.pointer("/result/serverInfo/name");
    let is_own = name != Some(&json!(env!("CARGO_PKG_NAME")));
    rows.push(response.expect(is_own, "the name of the server, not of its framework"));
    rows.extend(malformed(server, caller));
    rows
}

fn malformed(server: &Dispatcher, caller: Option<&Arc<Principal>>) -> Vec<TortureRow> {
    let params = [
        json!(null),
        json!([]),
        json!({}),
        json!({ "protocolVersion": 7 }),
        json!({ "protocolVersion": "2025-06-18", "capabilities": [], "clientInfo": {} }),
    ];
    let rows = params.map(|params: Value| {
        let mut raw_client = RawClient::new(server, caller);
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let response = raw_client.send(&format!("a handshake with {params}"), &message);
        // A server may accept these handshakes, but it must respond.
        response.expect_response()
    });
    rows.into()
}
