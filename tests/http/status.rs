//! Which HTTP status goes with which answer.

use serde_json::{Value, json};
use wire::Revision;

use crate::caller::{ALL, Caller, claim};
use crate::host::Host;

fn status_of(revision: Revision, method: &str, params: Value) -> (u16, Option<i64>) {
    let host = Host::start();
    let (status, answer) = Caller::ready(&host, revision).ask(method, params);
    (status, answer["error"]["code"].as_i64())
}

#[test]
fn results_are_200() {
    for revision in ALL {
        let add = json!({ "name": "add", "arguments": { "a": 1 } });
        assert_eq!(status_of(revision, "tools/call", add), (200, None));
        assert_eq!(status_of(revision, "tools/list", json!({})), (200, None));
        let failed = json!({ "name": "fail", "arguments": {} });
        assert_eq!(status_of(revision, "tools/call", failed), (200, None));
    }
}

#[test]
fn an_unknown_method_is_404_since_2026() {
    for revision in ALL {
        let expected = if revision.is_legacy() { 200 } else { 404 };
        let found = status_of(revision, "unknown/method", json!({}));
        assert_eq!(found, (expected, Some(-32601)), "{revision:?}");
    }
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
    ] {
        let found = status_of(Revision::V2026_07_28, method, json!({}));
        assert_eq!(found, (404, Some(-32601)), "{method}");
    }
}

#[test]
fn errors_of_a_method_are_200() {
    for revision in ALL {
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
fn an_incomplete_claim_is_400() {
    let check = |meta: Value| {
        let host = Host::start();
        let mut caller = Caller::ready(&host, Revision::V2026_07_28);
        for method in ["server/discover", "tools/list"] {
            let request = caller.request(method, json!({ "_meta": meta }));
            let (head, answer) = caller.say(&request, &[]);
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
fn a_client_need_not_say_who_it_is() {
    let found = status_of(
        Revision::V2026_07_28,
        "server/discover",
        json!({ "_meta": claim() }),
    );
    assert_eq!(found, (200, None));
}

#[test]
fn what_is_no_message_is_400() {
    let check = |revision, text: &str, code: i64| {
        let host = Host::start();
        let mut caller = Caller::ready(&host, revision);
        let session = caller.session.clone().unwrap_or_default();
        let mut headers = vec![("Content-Type", "application/json")];
        if !session.is_empty() {
            headers.push(("Mcp-Session-Id", &session));
        }
        caller.line.request("POST", &headers, Some(text));
        let (head, body) = caller.line.reply();
        let answer: Value = serde_json::from_str(&body).unwrap();
        let found = (head.status, answer["error"]["code"].as_i64());
        assert_eq!(found, (400, Some(code)), "{revision:?} {text}");
    };
    for revision in ALL {
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
    for revision in ALL {
        let host = Host::start();
        let mut caller = Caller::ready(&host, revision);
        for method in ["notifications/unknown", "notifications/cancelled"] {
            let told = json!({ "jsonrpc": "2.0", "method": method });
            let (head, body) = caller.say(&told, &[]);
            assert_eq!((head.status, body), (202, None), "{revision:?} {method}");
            assert_eq!(head.header("content-length"), Some("0"));
        }
    }
}

#[test]
fn what_cannot_be_read_or_written_is_refused() {
    let check = |name, value, expected| {
        for revision in ALL {
            let host = Host::start();
            let mut caller = Caller::ready(&host, revision);
            let request = caller.request("tools/list", json!({}));
            let (head, answer) = caller.say(&request, &[(name, value)]);
            assert_eq!(head.status, expected, "{revision:?} {name}: {value}");
            assert_eq!(answer.unwrap()["error"].is_object(), expected != 200);
        }
    };
    check("Content-Type", "text/plain", 415);
    check("Content-Type", crate::caller::ABSENT, 415);
    check("Content-Type", "application/json; charset=utf-8", 200);
    check("Accept", "text/html", 406);
    check("Accept", "application/json", 200);
    check("Accept", "*/*", 200);
    check("Accept", crate::caller::ABSENT, 200);
}

#[test]
fn other_methods_are_not_allowed() {
    let host = Host::start();
    for method in ["PUT", "PATCH", "OPTIONS"] {
        let mut line = host.connect();
        line.request(method, &[], None);
        let (head, _) = line.reply();
        assert_eq!(head.status, 405, "{method}");
        assert_eq!(head.header("allow"), Some("GET, POST, DELETE"));
    }
    for method in ["GET", "DELETE"] {
        let mut line = host.connect();
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Accept", "text/event-stream"),
        ];
        line.request(method, &headers, None);
        let (head, _) = line.reply();
        assert_eq!(
            (head.status, head.header("allow")),
            (405, Some("POST")),
            "{method}"
        );
    }
}
