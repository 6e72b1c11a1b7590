//! Clients of a server process that answer late, twice or not at all.

use std::process::Command;

use serde_json::{Value, json};
use support::wire::Revision;

use support::process::ServerProcess;

/// Starts a server with this input timeout, for a client of `revision` with
/// elicitation.
fn server(revision: Revision, input_timeout: &str) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    let mut server = ServerProcess::spawn(command.env("INPUT_TIMEOUT_MILLIS", input_timeout));
    if revision == Revision::V2026_07_28 {
        return server;
    }
    let params = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "probe", "version": "1" },
    });
    server.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
    server.receive();
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server
}

fn accepts(request: &Value, content: Value) -> Value {
    let result = json!({ "action": "accept", "content": content });
    json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

const SESSIONS: [Revision; 2] = [Revision::V2025_06_18, Revision::V2025_11_25];

#[test]
fn unanswered_input_request_times_out() {
    for revision in SESSIONS {
        let mut server = server(revision, "50");
        server.call(1, "two_questions", json!({}));
        let request = server.receive();
        assert_eq!(request["method"], "elicitation/create");
        let cancelled = server.receive();
        assert_eq!(cancelled["method"], "notifications/cancelled");
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
        let answer = server.receive();
        assert!(text(&answer).contains("did not answer `step1`"), "{answer}");
        // A late answer is ignored.
        server.send(&accepts(&request, json!({ "name": "Bob" })));
        server.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }));
        assert_eq!(server.receive()["id"], 2);
        server.close_input();
        assert!(server.wait_for_exit().success());
    }
}

#[test]
fn second_answer_is_ignored() {
    for revision in SESSIONS {
        let mut server = server(revision, "60000");
        server.call(1, "two_questions", json!({}));
        let first = server.receive();
        let answer = accepts(&first, json!({ "name": "Bob" }));
        // The second one violates the protocol, so the checker must not see it.
        server.send(&answer);
        server.send_unchecked(&answer);
        let second = server.receive();
        server.send(&accepts(&second, json!({ "colour": "blue" })));
        assert_eq!(text(&server.receive()), "Bob likes blue");
    }
}

#[test]
fn closing_input_ends_a_waiting_server() {
    for revision in SESSIONS {
        let mut server = server(revision, "60000");
        server.call(1, "two_questions", json!({}));
        server.receive();
        server.close_input();
        let answer = server.receive();
        assert!(text(&answer).contains("cannot be reached"), "{answer}");
        assert!(server.wait_for_exit().success());
    }
}

#[test]
fn abandoned_input_request_leaves_nothing_behind() {
    let mut server = server(Revision::V2026_07_28, "60000");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    // The same id can be reused, since each request ends with its response.
    for _ in 0..3 {
        let params = json!({ "name": "two_questions", "arguments": {}, "_meta": meta });
        server
            .send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let response = server.receive();
        assert_eq!(response["result"]["resultType"], "input_required");
    }
    server.close_input();
    assert!(server.wait_for_exit().success());
}
