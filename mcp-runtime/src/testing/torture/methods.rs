use serde_json::{Value, json};

use super::TortureRow;
use crate::protocol::{ServerCapabilities, meta};
use crate::testing::raw_client::{RawClient, RawResponse};

/// Calls unknown methods, sends notifications, and calls methods with invalid parameters.
pub(super) fn check(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let mut rows = unknown_methods(raw_client);
    rows.extend(notifications(raw_client));
    rows.extend(capabilities(raw_client));
    rows.extend(unknown_names(raw_client));
    if raw_client.revision.is_modern() {
        rows.extend(invalid_meta(raw_client));
    }
    rows
}

fn unknown_methods(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let long = "x".repeat(10_000);
    let methods = [
        "no/such",
        "",
        "Tools/List",
        "tools/list ",
        "rpc.discover",
        &long,
    ];
    let rows = methods.map(|method| {
        let response = raw_client.request("an unknown method", method, json!({}));
        response.expect_error(-32601).shorter_than(1000)
    });
    let mut rows = Vec::from(rows);
    let response = raw_client.request(
        "a notification with an id",
        "notifications/cancelled",
        json!({}),
    );
    rows.push(response.expect_error_of([-32600, -32601]));
    rows
}

/// Sends notifications and unexpected responses. The server must not reply to them.
fn notifications(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let mut messages = vec![
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
        messages.push(
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
    }
    let messages = messages.iter();
    let responses = messages.map(|message| raw_client.send("a message without response", message));
    responses.map(RawResponse::expect_silence).collect()
}

/// Calls the list method of every capability. If the server does not declare a capability, the
/// method must be unknown or return an empty list, because some clients always call it.
fn capabilities(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let declared = raw_client.capabilities();
    let declared: ServerCapabilities = serde_json::from_value(declared).unwrap_or_default();
    let lists = [
        ("tools/list", "tools", declared.tools.is_some()),
        ("prompts/list", "prompts", declared.prompts.is_some()),
        ("resources/list", "resources", declared.resources.is_some()),
        (
            "resources/templates/list",
            "resourceTemplates",
            declared.resources.is_some(),
        ),
    ];
    let rows = lists.map(|(method, member, is_declared)| {
        let response = raw_client.request("a list of a capability", method, json!({}));
        let list = format!("/result/{member}");
        match is_declared {
            true => response.expect_result(),
            false if response.pointer(&list).is_some() => response.expect_value(&list, &json!([])),
            false => response.expect_error(-32601),
        }
    });
    let mut rows = Vec::from(rows);
    let reference = json!({
        "ref": { "type": "ref/prompt", "name": "no such prompt" },
        "argument": { "name": "no such argument", "value": "" },
    });
    let response = raw_client.request(
        "a completion of an unknown prompt",
        "completion/complete",
        reference,
    );
    rows.push(match declared.completions.is_some() {
        true => response.expect_error(-32602),
        // Protocol versions before 2025-03-26 have no such capability.
        false => response.expect_any_error(),
    });
    let level = json!({ "level": "deafening" });
    let response = raw_client.request("an unknown log level", "logging/setLevel", level);
    rows.push(response.expect_any_error());
    rows
}

/// Calls unknown tools, prompts and resources, and leaves out the name. It uses dry runs, because a
/// resource template may match any URI.
fn unknown_names(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let long = "x".repeat(10_000);
    let mut rows = Vec::new();
    for name in ["no such tool", "", "../../etc/passwd", "\u{0}", &long] {
        let call = json!({ "name": name, "arguments": {} });
        let response = raw_client.dry_run("an unknown tool", "tools/call", call.clone());
        rows.push(
            response
                .expect_error_of([-32602, -32601])
                .shorter_than(1000),
        );
        let response = raw_client.dry_run("an unknown prompt", "prompts/get", call);
        rows.push(
            response
                .expect_error_of([-32602, -32601])
                .shorter_than(1000),
        );
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
        let response = raw_client.dry_run("an unknown resource", "resources/read", read);
        rows.push(response.expect_any_error().shorter_than(12_000));
    }
    for call in [json!({}), json!({ "name": 7 }), json!({ "arguments": {} })] {
        for method in ["tools/call", "prompts/get", "resources/read"] {
            let response = raw_client.dry_run("a call without a name", method, call.clone());
            rows.push(response.expect_error_of([-32602, -32601]));
        }
    }
    rows
}

/// Sends stateless requests with an incomplete `_meta` (specification of 2026-07-28, *Versioning*).
fn invalid_meta(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let version = meta::PROTOCOL_VERSION;
    let metas = [
        json!({ version: "2026-07-28" }),
        json!({ version: 7, meta::CLIENT_CAPABILITIES: {} }),
        json!({ version: "1999-01-01", meta::CLIENT_CAPABILITIES: {} }),
        json!({ version: "2026-07-28", meta::CLIENT_CAPABILITIES: [] }),
    ];
    let rows = metas.map(|meta: Value| {
        let params = json!({ "_meta": meta });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        raw_client
            .send("an incomplete `_meta`", &message)
            .expect_any_error()
    });
    rows.into()
}
