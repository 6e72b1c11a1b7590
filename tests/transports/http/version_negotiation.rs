//! Version negotiation: legacy and stateless requests, and the order of checks.

use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::start_server;
use support::http_client::{HttpClient, OMIT, initialize, request_meta};

const VERSION: &str = "MCP-Protocol-Version";

#[track_caller]
fn check(
    message: impl FnOnce(&mut HttpClient) -> Value,
    more: &[(&str, &str)],
    expected: (u16, i64),
) {
    let server = start_server();
    let mut client = HttpClient::new(&server, Revision::V2026_07_28);
    let message = message(&mut client);
    let (head, answer) = client.post(&message, more);
    let answer = answer.unwrap();
    let code = answer["error"]["code"].as_i64().unwrap_or_default();
    assert_eq!((head.status, code), expected, "{message} {more:?}");
    assert_eq!(answer["id"], message["id"]);
    assert_eq!(head.header("mcp-session-id"), None);
    assert_eq!(server.endpoint.session_count(), 0);
}

fn meta_with_version(version: &str) -> Value {
    let mut meta = request_meta();
    meta["io.modelcontextprotocol/protocolVersion"] = version.into();
    json!({ "_meta": meta })
}

#[test]
fn version_must_also_be_in_the_header() {
    let list = |client: &mut HttpClient| client.new_request("tools/list", json!({}));
    check(list, &[], (200, 0));
    check(list, &[(VERSION, OMIT)], (400, -32020));
    check(list, &[(VERSION, "2025-11-25")], (400, -32020));
    check(list, &[(VERSION, "nonsense")], (400, -32020));
    check(
        list,
        &[(VERSION, "2026-07-28"), (VERSION, "2026-07-28")],
        (400, -32020),
    );
}

#[test]
fn version_mismatch_is_checked_before_support() {
    let list =
        |client: &mut HttpClient| client.new_request("tools/list", meta_with_version("v999.0.0"));
    check(list, &[], (400, -32020));
    check(list, &[(VERSION, "v999.0.0")], (400, -32022));
    let legacy =
        |client: &mut HttpClient| client.new_request("tools/list", meta_with_version("2025-11-25"));
    check(legacy, &[(VERSION, "2025-11-25")], (400, -32022));
}

#[test]
fn version_support_is_checked_before_capabilities() {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "v1" });
    let list = |client: &mut HttpClient| client.new_request("tools/list", json!({ "_meta": meta }));
    check(list, &[(VERSION, "v1")], (400, -32022));
}

#[test]
fn capabilities_are_checked_before_headers() {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let list = |client: &mut HttpClient| client.new_request("tools/list", json!({ "_meta": meta }));
    check(list, &[("Mcp-Method", "wrong")], (400, -32602));
}

#[test]
fn headers_are_checked_before_the_method() {
    let unknown = |client: &mut HttpClient| client.new_request("unknown/method", json!({}));
    check(unknown, &[("Mcp-Method", "wrong")], (400, -32020));
    check(unknown, &[], (404, -32601));
}

#[test]
fn version_header_without_meta_is_invalid_params() {
    let bare = |method: &'static str| move |_: &mut HttpClient| json!({ "jsonrpc": "2.0", "id": 1, "method": method });
    check(bare("tools/list"), &[], (400, -32602));
    check(bare("server/discover"), &[], (400, -32602));
    check(bare("ping"), &[], (400, -32602));
    check(bare("server/discover"), &[(VERSION, OMIT)], (400, -32602));
}

#[test]
fn initialize_with_request_meta_is_unknown() {
    let with_meta = |client: &mut HttpClient| {
        let mut message = initialize("2025-11-25");
        message["params"]["_meta"] = client.new_request("x", json!({}))["params"]["_meta"].take();
        message
    };
    check(with_meta, &[], (404, -32601));
}

#[test]
fn session_header_is_ignored_by_stateless_requests() {
    let list = |client: &mut HttpClient| client.new_request("tools/list", json!({}));
    check(
        list,
        &[("Mcp-Session-Id", "made up"), ("Last-Event-ID", "1-1")],
        (200, 0),
    );
}

#[test]
fn initialize_accepts_any_version_header() {
    for version in [OMIT, "2025-06-18", "nonsense"] {
        let server = start_server();
        let mut client = HttpClient::new(&server, Revision::V2025_11_25);
        let (head, answer) = client.post(&initialize("2025-11-25"), &[(VERSION, version)]);
        assert_eq!(head.status, 200, "{version}");
        assert_eq!(answer.unwrap()["result"]["protocolVersion"], "2025-11-25");
    }
}

#[test]
fn initialize_negotiates_a_legacy_version() {
    for version in ["2026-07-28", "1999-01-01", "nonsense"] {
        let server = start_server();
        let mut client = HttpClient::new(&server, Revision::V2025_11_25);
        let (_, answer) = client.post(&initialize(version), &[]);
        assert_eq!(
            answer.unwrap()["result"]["protocolVersion"],
            "2025-11-25",
            "{version}"
        );
    }
}

#[test]
fn negotiated_version_of_the_session_is_used() {
    let check = |version: &str, expected: u16| {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
        let request = client.new_request("tools/list", json!({}));
        let (head, _) = client.post(&request, &[(VERSION, version)]);
        assert_eq!(head.status, expected, "{version}");
    };
    check("2025-11-25", 200);
    check("2025-03-26", 200);
    check(OMIT, 200);
    check("2019-01-01", 400);
    check("nonsense", 400);
}

#[test]
fn batch_needs_a_session_of_2025_03_26() {
    let ping = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let batch = json!([ping(1), ping(2), { "jsonrpc": "2.0", "method": "notifications/x" }]);
    for revision in Revision::ALL {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, revision);
        let session = client.session_id.clone().unwrap_or_default();
        let mut headers = vec![("Content-Type", "application/json")];
        if !session.is_empty() {
            headers.push(("Mcp-Session-Id", &session));
        }
        client.conversation.sent_by_client(&batch);
        client
            .connection
            .send_request("POST", &headers, Some(&batch.to_string()));
        let (head, body) = client.connection.read_response();
        let answer: Value = serde_json::from_str(&body).unwrap();
        if revision == Revision::V2025_03_26 {
            assert_eq!(
                (head.status, answer.as_array().map(Vec::len)),
                (200, Some(2))
            );
            client.check(&body);
        } else {
            let actual = (head.status, answer["error"]["code"].as_i64());
            assert_eq!(actual, (400, Some(-32600)), "{revision:?}");
        }
    }
}

#[test]
fn batch_of_notifications_is_202() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_03_26);
    let batch = json!([{ "jsonrpc": "2.0", "method": "notifications/x" }]);
    let (head, body) = client.post(&batch, &[]);
    assert_eq!((head.status, body), (202, None));
}

#[test]
fn stateless_request_in_a_batch_is_rejected() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_03_26);
    let batch = json!([{
        "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": request_meta() },
    }]);
    let session = client.session_id.clone().unwrap();
    let headers = [
        ("Content-Type", "application/json"),
        ("Mcp-Session-Id", session.as_str()),
    ];
    client
        .connection
        .send_request("POST", &headers, Some(&batch.to_string()));
    let (head, body) = client.connection.read_response();
    assert_eq!(head.status, 400, "{body}");
}
