//! Which era a request belongs to, and in which order its claims are judged.

use serde_json::{Value, json};
use wire::Revision;

use crate::caller::{ABSENT, Caller, claim, initialize};
use crate::host::Host;

const VERSION: &str = "MCP-Protocol-Version";

#[track_caller]
fn check(message: impl FnOnce(&mut Caller) -> Value, more: &[(&str, &str)], expected: (u16, i64)) {
    let host = Host::start();
    let mut caller = Caller::new(&host, Revision::V2026_07_28);
    let message = message(&mut caller);
    let (head, answer) = caller.say(&message, more);
    let answer = answer.unwrap();
    let code = answer["error"]["code"].as_i64().unwrap_or_default();
    assert_eq!((head.status, code), expected, "{message} {more:?}");
    assert_eq!(answer["id"], message["id"]);
    assert_eq!(head.header("mcp-session-id"), None);
    assert_eq!(host.endpoint.session_count(), 0);
}

fn claiming(version: &str) -> Value {
    let mut meta = claim();
    meta["io.modelcontextprotocol/protocolVersion"] = version.into();
    json!({ "_meta": meta })
}

#[test]
fn a_claim_must_be_in_the_header_too() {
    let list = |caller: &mut Caller| caller.request("tools/list", json!({}));
    check(list, &[], (200, 0));
    check(list, &[(VERSION, ABSENT)], (400, -32020));
    check(list, &[(VERSION, "2025-11-25")], (400, -32020));
    check(list, &[(VERSION, "nonsense")], (400, -32020));
    check(
        list,
        &[(VERSION, "2026-07-28"), (VERSION, "2026-07-28")],
        (400, -32020),
    );
}

#[test]
fn a_mismatch_comes_before_an_unsupported_version() {
    let list = |caller: &mut Caller| caller.request("tools/list", claiming("v999.0.0"));
    check(list, &[], (400, -32020));
    check(list, &[(VERSION, "v999.0.0")], (400, -32022));
    let legacy = |caller: &mut Caller| caller.request("tools/list", claiming("2025-11-25"));
    check(legacy, &[(VERSION, "2025-11-25")], (400, -32022));
}

#[test]
fn an_unsupported_version_comes_before_missing_capabilities() {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "v1" });
    let list = |caller: &mut Caller| caller.request("tools/list", json!({ "_meta": meta }));
    check(list, &[(VERSION, "v1")], (400, -32022));
}

#[test]
fn missing_capabilities_come_before_the_mirror() {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let list = |caller: &mut Caller| caller.request("tools/list", json!({ "_meta": meta }));
    check(list, &[("Mcp-Method", "wrong")], (400, -32602));
}

#[test]
fn the_mirror_comes_before_the_method() {
    let unknown = |caller: &mut Caller| caller.request("unknown/method", json!({}));
    check(unknown, &[("Mcp-Method", "wrong")], (400, -32020));
    check(unknown, &[], (404, -32601));
}

#[test]
fn a_header_without_a_claim_is_malformed() {
    let bare = |method: &'static str| move |_: &mut Caller| json!({ "jsonrpc": "2.0", "id": 1, "method": method });
    check(bare("tools/list"), &[], (400, -32602));
    check(bare("server/discover"), &[], (400, -32602));
    check(bare("ping"), &[], (400, -32602));
    check(bare("server/discover"), &[(VERSION, ABSENT)], (400, -32602));
}

#[test]
fn a_claim_is_no_handshake() {
    let claimed = |caller: &mut Caller| {
        let mut message = initialize("2025-11-25");
        message["params"]["_meta"] = caller.request("x", json!({}))["params"]["_meta"].take();
        message
    };
    check(claimed, &[], (404, -32601));
}

#[test]
fn a_session_is_nothing_to_a_claim() {
    let list = |caller: &mut Caller| caller.request("tools/list", json!({}));
    check(
        list,
        &[("Mcp-Session-Id", "made up"), ("Last-Event-ID", "1-1")],
        (200, 0),
    );
}

#[test]
fn a_handshake_may_name_any_version_in_the_header() {
    for version in [ABSENT, "2025-06-18", "nonsense"] {
        let host = Host::start();
        let mut caller = Caller::new(&host, Revision::V2025_11_25);
        let (head, answer) = caller.say(&initialize("2025-11-25"), &[(VERSION, version)]);
        assert_eq!(head.status, 200, "{version}");
        assert_eq!(answer.unwrap()["result"]["protocolVersion"], "2025-11-25");
    }
}

#[test]
fn a_handshake_agrees_on_a_version_that_has_one() {
    for version in ["2026-07-28", "1999-01-01", "nonsense"] {
        let host = Host::start();
        let mut caller = Caller::new(&host, Revision::V2025_11_25);
        let (_, answer) = caller.say(&initialize(version), &[]);
        assert_eq!(
            answer.unwrap()["result"]["protocolVersion"],
            "2025-11-25",
            "{version}"
        );
    }
}

#[test]
fn what_a_session_agreed_on_counts() {
    let check = |version: &str, expected: u16| {
        let host = Host::start();
        let mut caller = Caller::ready(&host, Revision::V2025_11_25);
        let request = caller.request("tools/list", json!({}));
        let (head, _) = caller.say(&request, &[(VERSION, version)]);
        assert_eq!(head.status, expected, "{version}");
    };
    check("2025-11-25", 200);
    check("2025-03-26", 200);
    check(ABSENT, 200);
    check("2019-01-01", 400);
    check("nonsense", 400);
}

#[test]
fn a_batch_needs_a_session_of_its_revision() {
    let ping = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let batch = json!([ping(1), ping(2), { "jsonrpc": "2.0", "method": "notifications/x" }]);
    for revision in crate::caller::ALL {
        let host = Host::start();
        let mut caller = Caller::ready(&host, revision);
        let session = caller.session.clone().unwrap_or_default();
        let mut headers = vec![("Content-Type", "application/json")];
        if !session.is_empty() {
            headers.push(("Mcp-Session-Id", &session));
        }
        caller.conversation.sent_by_client(&batch);
        caller
            .line
            .request("POST", &headers, Some(&batch.to_string()));
        let (head, body) = caller.line.reply();
        let answer: Value = serde_json::from_str(&body).unwrap();
        if revision == Revision::V2025_03_26 {
            assert_eq!(
                (head.status, answer.as_array().map(Vec::len)),
                (200, Some(2))
            );
            caller.heard(&body);
        } else {
            let found = (head.status, answer["error"]["code"].as_i64());
            assert_eq!(found, (400, Some(-32600)), "{revision:?}");
        }
    }
}

#[test]
fn a_batch_of_notifications_is_202() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_03_26);
    let told = json!([{ "jsonrpc": "2.0", "method": "notifications/x" }]);
    let (head, body) = caller.say(&told, &[]);
    assert_eq!((head.status, body), (202, None));
}

#[test]
fn a_claim_in_a_batch_is_refused() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_03_26);
    let claimed = json!([{
        "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": claim() },
    }]);
    let session = caller.session.clone().unwrap();
    let headers = [
        ("Content-Type", "application/json"),
        ("Mcp-Session-Id", session.as_str()),
    ];
    caller
        .line
        .request("POST", &headers, Some(&claimed.to_string()));
    let (head, body) = caller.line.reply();
    assert_eq!(head.status, 400, "{body}");
}
