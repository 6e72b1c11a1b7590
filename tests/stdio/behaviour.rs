//! What running servers are asked, and how this one answers.

use serde_json::{Value, json};
use wire::Revision;

use crate::child::Server;

#[test]
fn the_server_is_named_after_its_own_binary() {
    let mut server = Server::start();
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    let info = json!({
        "name": "test-server", "version": env!("CARGO_PKG_VERSION"), "title": "A server for tests",
    });
    assert_eq!(server.hear()["result"]["serverInfo"], info);
}

#[test]
fn a_fast_call_is_not_held_up_by_slow_ones() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call("async", "sleep", json!({ "millis": 1500 }));
    for id in 0..5 {
        server.call(id, "block", json!({ "millis": 1500 }));
    }
    server.call("fast", "add", json!({ "a": 1 }));
    server.say(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" }));
    assert_eq!(server.hear()["id"], "fast");
    assert_eq!(server.hear()["id"], "ping");
    for _ in 0..6 {
        assert_eq!(server.hear()["result"]["content"][0]["type"], "text");
    }
    assert!(server.conversation.unanswered().is_empty());
}

#[test]
fn a_cancelled_call_stays_silent() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut server = Server::in_revision(revision);
        for (id, tool) in [(1, "forever"), (2, "block_until_cancelled")] {
            server.call(id, tool, json!({}));
            let params = json!({ "requestId": id });
            server.say(&json!({
                "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params,
            }));
            server.conversation.forbid_answer(&id.into());
        }
        server.call(3, "add", json!({ "a": 1 }));
        assert_eq!(server.hear()["id"], 3);
        server.hears_nothing();
    }
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    for garbage in ["garbage", "{\"jsonrpc\":", "\u{1}\u{2}", "[]]"] {
        server.say_text(garbage);
        assert_eq!(server.hear()["error"]["code"], -32700);
    }
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["id"], 1);
}

#[test]
fn an_oversized_line_is_answered_and_skipped() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    let long = "x".repeat(9 * 1024 * 1024);
    server.say_text(&long);
    assert_eq!(server.hear()["error"]["code"], -32600);
    let large = "y".repeat(1024 * 1024);
    server.call(1, "add", json!({ "a": 1, large: 2 }));
    assert_eq!(server.hear()["result"]["isError"], true);
}

#[test]
fn an_id_in_flight_is_refused() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 300 }));
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["error"]["code"], -32600);
    assert_eq!(server.hear()["result"]["content"][0]["text"], "slept");
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.hear()["result"]["content"][0]["text"], "2");
}

#[test]
fn what_a_tool_prints_and_its_children_do_not_harm() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "shout", json!({}));
    let answer = server.hear();
    // Neither can anybody else read what the client sends.
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "a child read 0 bytes"
    );
    server.hears_nothing();
}

#[test]
fn a_batch_is_one_line() {
    let mut server = Server::in_revision(Revision::V2025_03_26);
    let ping = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    server.say(&json!([ping(1), ping(2)]));
    assert_eq!(server.hear().as_array().map(Vec::len), Some(2));
    let mut server = Server::in_revision(Revision::V2025_06_18);
    server.say(&json!([ping(1)]));
    assert_eq!(server.hear()["error"]["code"], -32600);
}

#[test]
fn panics_are_answered_without_detail() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    for tool in ["boom", "boom_inline", "boom_later"] {
        server.call(tool, tool, json!({}));
        let answer = server.hear();
        assert_eq!(answer["result"]["isError"], true);
        assert!(!answer.to_string().contains("secret"));
    }
}

#[test]
fn both_eras_share_the_pipe() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "who", "_meta": meta });
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    let text = |answer: Value| answer["result"]["content"][0]["text"].clone();
    // The stateless request does not see what the handshake said.
    assert_eq!(text(server.hear()), "somebody over stdio in 2026-07-28");
    server.call(2, "who", json!({}));
    assert_eq!(text(server.hear()), "probe over stdio in 2025-11-25");
}

#[test]
fn a_thousand_calls_at_once_are_all_answered() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    for id in 0..1000 {
        match id % 4 {
            0 => server.call(id, "sleep", json!({ "millis": id % 7 })),
            1 => server.call(id, "block", json!({ "millis": id % 3 })),
            2 => server.call(id, "add", json!({ "a": id })),
            _ => server.call(id, "boom_inline", json!({})),
        }
    }
    for _ in 0..1000 {
        server.hear();
    }
    assert!(server.conversation.unanswered().is_empty());
}

#[test]
fn what_a_tool_logs_is_told_by_a_server_with_the_main_macro() {
    let mut server = Server::in_revision(Revision::V2025_11_25);
    server.call(1, "note", json!({}));
    let told = server.hear();
    let expected = json!({
        "level": "info", "logger": "test_server::notes", "data": { "message": "noted", "page": 7 },
    });
    assert_eq!(told["params"], expected);
    assert_eq!(server.hear()["id"], 1);
    server.hears_nothing();
}
