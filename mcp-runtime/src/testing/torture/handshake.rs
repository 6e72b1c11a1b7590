use std::sync::Arc;

use serde_json::{Value, json};

use super::TortureRow;
use crate::auth::Principal;
use crate::dispatch::Dispatcher;
use crate::protocol::Revision;
use crate::testing::probe::Probe;

/// What comes before the handshake, and odd handshakes.
pub(super) fn ask(server: &Dispatcher, caller: Option<&Arc<Principal>>) -> Vec<TortureRow> {
    let mut probe = Probe::silent(server, caller);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let early = probe.ask("a list before the handshake", &list);
    let mut rows = vec![early.error(-32600)];
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    rows.push(probe.ask("a ping before the handshake", &ping).result());
    let version = |version: &str| {
        let mut probe = Probe::silent(server, caller);
        probe.initialize(&format!("a handshake in version `{version}`"), version)
    };
    let legacy = Revision::ALL.into_iter().filter(|it| !it.is_modern());
    for revision in legacy {
        let asked = version(revision.as_str());
        rows.push(asked.has("/result/protocolVersion", &json!(revision.as_str())));
    }
    for odd in ["1999-01-01", "", "2026-07-28", "9999-12-31"] {
        let newest = Revision::NEWEST_LEGACY.as_str();
        rows.push(version(odd).has("/result/protocolVersion", &json!(newest)));
    }
    let name = version(Revision::NEWEST_LEGACY.as_str());
    let own = name.pointer("/result/serverInfo/name") != Some(&json!(env!("CARGO_PKG_NAME")));
    rows.push(name.is(own, "the name of the server, not of its framework"));
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
    let asked = params.map(|params: Value| {
        let mut probe = Probe::silent(server, caller);
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let asked = probe.ask(&format!("a handshake with {params}"), &message);
        // A lenient server makes the best of it; what counts is that it answers.
        asked.answered()
    });
    asked.into()
}
