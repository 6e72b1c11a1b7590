use serde_json::{Value, json};

use super::TortureRow;
use crate::protocol::{ServerCapabilities, meta};
use crate::testing::probe::{Asked, Probe};

/// Methods that do not exist, are out of place, or have odd parameters.
pub(super) fn ask(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut rows = unknown(probe);
    rows.extend(silent(probe));
    rows.extend(offered(probe));
    rows.extend(names(probe));
    if probe.revision.is_modern() {
        rows.extend(claims(probe));
    }
    rows
}

fn unknown(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let long = "x".repeat(10_000);
    let methods = [
        "no/such",
        "",
        "Tools/List",
        "tools/list ",
        "rpc.discover",
        &long,
    ];
    let asked = methods.map(|method| {
        let asked = probe.request("an unknown method", method, json!({}));
        asked.error(-32601).shorter_than(1000)
    });
    let mut rows = Vec::from(asked);
    let asked = probe.request(
        "a notification with an id",
        "notifications/cancelled",
        json!({}),
    );
    rows.push(asked.error_of([-32600, -32601]));
    rows
}

/// Messages that are never answered.
fn silent(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut notes = vec![
        json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" }),
        json!({ "jsonrpc": "2.0", "method": "no/such" }),
        json!({ "jsonrpc": "2.0", "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "no such tool" } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": [] }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": "99", "result": 7 }),
        json!({ "jsonrpc": "2.0", "id": 99, "error": { "code": 1, "message": "no" } }),
    ];
    for params in [
        json!(null),
        json!({}),
        json!({ "requestId": 99 }),
        json!({ "requestId": [] }),
    ] {
        notes.push(
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
    }
    let asked = notes.iter();
    let asked = asked.map(|note| probe.ask("a message that is not answered", note));
    asked.map(Asked::silent).collect()
}

/// What is promised is there, and what is not is not.
fn offered(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let offer = probe.offer();
    let offer: ServerCapabilities = serde_json::from_value(offer).unwrap_or_default();
    let lists = [
        ("tools/list", offer.tools.is_some()),
        ("prompts/list", offer.prompts.is_some()),
        ("resources/list", offer.resources.is_some()),
        ("resources/templates/list", offer.resources.is_some()),
    ];
    let asked = lists.map(|(method, promised)| {
        let asked = probe.request("a list that is promised or not", method, json!({}));
        match promised {
            true => asked.result(),
            false => asked.error(-32601),
        }
    });
    let mut rows = Vec::from(asked);
    let reference = json!({
        "ref": { "type": "ref/prompt", "name": "no such prompt" },
        "argument": { "name": "no such argument", "value": "" },
    });
    let asked = probe.request("a completion of nothing", "completion/complete", reference);
    rows.push(match offer.completions.is_some() {
        true => asked.error(-32602),
        // Before 2025-03-26 nothing promises it.
        false => asked.any_error(),
    });
    let level = json!({ "level": "deafening" });
    let asked = probe.request("a level that is none", "logging/setLevel", level);
    rows.push(asked.any_error());
    rows
}

/// Tools, prompts and resources that do not exist, and calls that name none; a
/// template that takes any path is not run either.
fn names(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let long = "x".repeat(10_000);
    let mut rows = Vec::new();
    for name in ["no such tool", "", "../../etc/passwd", "\u{0}", &long] {
        let call = json!({ "name": name, "arguments": {} });
        let asked = probe.dry_run("an unknown tool", "tools/call", call.clone());
        rows.push(asked.error_of([-32602, -32601]).shorter_than(1000));
        let asked = probe.dry_run("an unknown prompt", "prompts/get", call);
        rows.push(asked.error_of([-32602, -32601]).shorter_than(1000));
    }
    let uris = [
        "",
        "no uri",
        "file:///etc/passwd",
        "test://../../etc/passwd",
        "test://%",
        &long,
    ];
    for uri in uris {
        let read = json!({ "uri": uri });
        let asked = probe.dry_run("an unknown resource", "resources/read", read);
        rows.push(asked.any_error().shorter_than(12_000));
    }
    for call in [json!({}), json!({ "name": 7 }), json!({ "arguments": {} })] {
        for method in ["tools/call", "prompts/get", "resources/read"] {
            let asked = probe.dry_run("a call without a name", method, call.clone());
            rows.push(asked.error_of([-32602, -32601]));
        }
    }
    rows
}

/// Claims of a stateless request that are not complete (2026-07-28, *Versioning*).
fn claims(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let version = meta::PROTOCOL_VERSION;
    let claims = [
        json!({ version: "2026-07-28" }),
        json!({ version: 7, meta::CLIENT_CAPABILITIES: {} }),
        json!({ version: "1999-01-01", meta::CLIENT_CAPABILITIES: {} }),
        json!({ version: "2026-07-28", meta::CLIENT_CAPABILITIES: [] }),
    ];
    let asked = claims.map(|claim: Value| {
        let params = json!({ "_meta": claim });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        probe
            .ask("a claim that is not complete", &message)
            .any_error()
    });
    asked.into()
}
