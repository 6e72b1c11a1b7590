//! Messages on standard input and output.

use serde_json::{Value, json};
use support::wire::Revision;

use support::process::ServerProcess;

#[test]
fn server_is_named_after_its_binary() {
    let mut server = ServerProcess::start();
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    server.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    let info = json!({
        "name": "test-server", "version": env!("CARGO_PKG_VERSION"), "title": "A server for tests",
    });
    assert_eq!(server.receive()["result"]["serverInfo"], info);
}

#[test]
fn fast_call_is_not_blocked_by_slow_ones() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call("async", "sleep", json!({ "millis": 1500 }));
    for id in 0..5 {
        server.call(id, "block", json!({ "millis": 1500 }));
    }
    server.call("fast", "add", json!({ "a": 1 }));
    server.send(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" }));
    assert_eq!(server.receive()["id"], "fast");
    assert_eq!(server.receive()["id"], "ping");
    for _ in 0..6 {
        assert_eq!(server.receive()["result"]["content"][0]["type"], "text");
    }
    assert!(server.conversation.pending_requests().is_empty());
}

#[test]
fn cancelled_call_gets_no_response() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut server = ServerProcess::in_revision(revision);
        for (id, tool) in [(1, "forever"), (2, "block_until_cancelled")] {
            server.call(id, tool, json!({}));
            let params = json!({ "requestId": id });
            server.send(&json!({
                "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params,
            }));
            server.conversation.forbid_response(&id.into());
        }
        server.call(3, "add", json!({ "a": 1 }));
        assert_eq!(server.receive()["id"], 3);
        server.assert_silent();
    }
}

#[test]
fn invalid_json_gets_an_error_and_serving_continues() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    for garbage in ["garbage", "{\"jsonrpc\":", "\u{1}\u{2}", "[]]"] {
        server.send_text(garbage);
        assert_eq!(server.receive()["error"]["code"], -32700);
    }
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.receive()["id"], 1);
}

#[test]
fn oversized_line_gets_an_error_and_is_skipped() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    let long = "x".repeat(9 * 1024 * 1024);
    server.send_text(&long);
    assert_eq!(server.receive()["error"]["code"], -32600);
    let large = "y".repeat(1024 * 1024);
    server.call(1, "add", json!({ "a": 1, large: 2 }));
    assert_eq!(server.receive()["result"]["isError"], true);
}

#[test]
fn duplicate_id_in_flight_is_rejected() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call(1, "sleep", json!({ "millis": 300 }));
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.receive()["error"]["code"], -32600);
    assert_eq!(server.receive()["result"]["content"][0]["text"], "slept");
    server.call(1, "add", json!({ "a": 1 }));
    assert_eq!(server.receive()["result"]["content"][0]["text"], "2");
}

#[test]
fn printing_tools_and_child_processes_do_not_corrupt_the_protocol() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call(1, "shout", json!({}));
    let answer = server.receive();
    // Child processes cannot read the messages of the client either.
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "a child read 0 bytes"
    );
    server.assert_silent();
}

#[test]
fn batch_response_is_one_line() {
    let mut server = ServerProcess::in_revision(Revision::V2025_03_26);
    let ping = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    server.send(&json!([ping(1), ping(2)]));
    assert_eq!(server.receive().as_array().map(Vec::len), Some(2));
    let mut server = ServerProcess::in_revision(Revision::V2025_06_18);
    server.send(&json!([ping(1)]));
    assert_eq!(server.receive()["error"]["code"], -32600);
}

#[test]
fn panic_messages_are_not_sent() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    for tool in ["boom", "boom_inline", "boom_later"] {
        server.call(tool, tool, json!({}));
        let answer = server.receive();
        assert_eq!(answer["result"]["isError"], true);
        assert!(!answer.to_string().contains("secret"));
    }
}

#[test]
fn legacy_and_stateless_requests_share_the_pipe() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "who", "_meta": meta });
    server.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    let text = |answer: Value| answer["result"]["content"][0]["text"].clone();
    // The stateless request does not use the client info of the session.
    assert_eq!(text(server.receive()), "unknown over stdio in 2026-07-28");
    server.call(2, "who", json!({}));
    assert_eq!(text(server.receive()), "probe over stdio in 2025-11-25");
}

#[test]
fn thousand_concurrent_calls_all_get_responses() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    for id in 0..1000 {
        match id % 4 {
            0 => server.call(id, "sleep", json!({ "millis": id % 7 })),
            1 => server.call(id, "block", json!({ "millis": id % 3 })),
            2 => server.call(id, "add", json!({ "a": id })),
            _ => server.call(id, "boom_inline", json!({})),
        }
    }
    for _ in 0..1000 {
        server.receive();
    }
    assert!(server.conversation.pending_requests().is_empty());
}

#[test]
fn main_macro_installs_client_log() {
    let mut server = ServerProcess::in_revision(Revision::V2025_11_25);
    server.call(1, "note", json!({}));
    let notification = server.receive();
    let expected = json!({
        "level": "info", "logger": "test_server::notes", "data": { "message": "noted", "page": 7 },
    });
    assert_eq!(notification["params"], expected);
    assert_eq!(server.receive()["id"], 1);
    server.assert_silent();
}
