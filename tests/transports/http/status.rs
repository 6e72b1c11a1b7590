//! HTTP status codes of responses.

use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::start_server;
use support::http_client::{HttpClient, request_meta};

fn status_of(revision: Revision, method: &str, params: Value) -> (u16, Option<i64>) {
    let server = start_server();
    let (status, answer) = HttpClient::initialized(&server, revision).request(method, params);
    (status, answer["error"]["code"].as_i64())
}

#[test]
fn results_are_200() {
    for revision in Revision::ALL {
        let add = json!({ "name": "add", "arguments": { "a": 1 } });
        assert_eq!(status_of(revision, "tools/call", add), (200, None));
        assert_eq!(status_of(revision, "tools/list", json!({})), (200, None));
        let failed = json!({ "name": "fail", "arguments": {} });
        assert_eq!(status_of(revision, "tools/call", failed), (200, None));
    }
}

#[test]
fn unknown_method_is_404_since_2026_07_28() {
    for revision in Revision::ALL {
        let expected = if revision.is_legacy() { 200 } else { 404 };
        let actual = status_of(revision, "unknown/method", json!({}));
        assert_eq!(actual, (expected, Some(-32601)), "{revision:?}");
    }
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
    ] {
        let actual = status_of(Revision::V2026_07_28, method, json!({}));
        assert_eq!(actual, (404, Some(-32601)), "{method}");
    }
}

#[test]
fn method_errors_are_200() {
    for revision in Revision::ALL {
        let unknown = json!({ "name": "unknown", "arguments": {} });
        assert_eq!(
            status_of(revision, "tools/call", unknown),
            (200, Some(-32602))
        );
        let cursor = json!({ "cursor": "unknown" });
        assert_eq!(
            status_of(revision, "tools/list", cursor),
            (200, Some(-32602))
        );
    }
}

#[test]
fn incomplete_request_meta_is_400() {
    let check = |meta: Value| {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
        for method in ["server/discover", "tools/list"] {
            let request = client.new_request(method, json!({ "_meta": meta }));
            let (head, answer) = client.post(&request, &[]);
            let code = answer.unwrap()["error"]["code"].as_i64();
            assert_eq!((head.status, code), (400, Some(-32602)), "{method} {meta}");
        }
    };
    check(json!({}));
    check(json!({ "io.modelcontextprotocol/clientCapabilities": {} }));
    check(json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }));
    check(json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": [],
    }));
    check(json!({
        "io.modelcontextprotocol/protocolVersion": 20260728,
        "io.modelcontextprotocol/clientCapabilities": {},
    }));
}

#[test]
fn client_info_is_optional() {
    let actual = status_of(
        Revision::V2026_07_28,
        "server/discover",
        json!({ "_meta": request_meta() }),
    );
    assert_eq!(actual, (200, None));
}

#[test]
fn invalid_message_is_400() {
    let check = |revision, text: &str, code: i64| {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, revision);
        let session = client.session_id.clone().unwrap_or_default();
        let mut headers = vec![("Content-Type", "application/json")];
        if !session.is_empty() {
            headers.push(("Mcp-Session-Id", &session));
        }
        client.connection.send_request("POST", &headers, Some(text));
        let (head, body) = client.connection.read_response();
        let answer: Value = serde_json::from_str(&body).unwrap();
        let actual = (head.status, answer["error"]["code"].as_i64());
        assert_eq!(actual, (400, Some(code)), "{revision:?} {text}");
    };
    for revision in Revision::ALL {
        check(revision, "", -32700);
        check(revision, "{", -32700);
        check(revision, "no json", -32700);
        check(revision, "1", -32600);
        check(revision, "{}", -32600);
        check(
            revision,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            -32600,
        );
        check(
            revision,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
        );
        check(revision, "[]", -32600);
    }
}

#[test]
fn notifications_are_202_without_a_body() {
    for revision in Revision::ALL {
        let server = start_server();
        let mut client = HttpClient::initialized(&server, revision);
        for method in ["notifications/unknown", "notifications/cancelled"] {
            let notification = json!({ "jsonrpc": "2.0", "method": method });
            let (head, body) = client.post(&notification, &[]);
            assert_eq!((head.status, body), (202, None), "{revision:?} {method}");
            assert_eq!(head.header("content-length"), Some("0"));
        }
    }
}

#[test]
fn unsupported_media_types_are_rejected() {
    let check = |name, value, expected| {
        for revision in Revision::ALL {
            let server = start_server();
            let mut client = HttpClient::initialized(&server, revision);
            let request = client.new_request("tools/list", json!({}));
            let (head, answer) = client.post(&request, &[(name, value)]);
            assert_eq!(head.status, expected, "{revision:?} {name}: {value}");
            assert_eq!(answer.unwrap()["error"].is_object(), expected != 200);
        }
    };
    check("Content-Type", "text/plain", 415);
    check("Content-Type", support::http_client::OMIT, 415);
    check("Content-Type", "application/json; charset=utf-8", 200);
    check("Accept", "text/html", 406);
    check("Accept", "application/json", 200);
    check("Accept", "*/*", 200);
    check("Accept", support::http_client::OMIT, 200);
}

#[test]
fn other_http_methods_are_405() {
    let server = start_server();
    for method in ["PUT", "PATCH", "OPTIONS"] {
        let mut connection = server.connect();
        connection.send_request(method, &[], None);
        let (head, _) = connection.read_response();
        assert_eq!(head.status, 405, "{method}");
        assert_eq!(head.header("allow"), Some("GET, POST, DELETE"));
    }
    for method in ["GET", "DELETE"] {
        let mut connection = server.connect();
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Accept", "text/event-stream"),
        ];
        connection.send_request(method, &headers, None);
        let (head, _) = connection.read_response();
        assert_eq!(
            (head.status, head.header("allow")),
            (405, Some("POST")),
            "{method}"
        );
    }
}
