//! Clients at a process that answer late, twice, or not at all.

use std::process::Command;

use serde_json::{Value, json};
use wire::Revision;

use crate::process::Server;

/// A server that waits so long for answers, and a client of that revision that can
/// be asked.
fn server(revision: Revision, patience: &str) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    let mut server = Server::run(command.env("PATIENCE_MILLIS", patience));
    if revision == Revision::V2026_07_28 {
        return server;
    }
    let params = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "probe", "version": "1" },
    });
    server.say(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
    server.hear();
    server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server
}

fn accepts(question: &Value, content: Value) -> Value {
    let result = json!({ "action": "accept", "content": content });
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

const SESSIONS: [Revision; 2] = [Revision::V2025_06_18, Revision::V2025_11_25];

#[test]
fn a_process_does_not_wait_for_ever() {
    for revision in SESSIONS {
        let mut server = server(revision, "50");
        server.call(1, "two_questions", json!({}));
        let question = server.hear();
        assert_eq!(question["method"], "elicitation/create");
        let taken_back = server.hear();
        assert_eq!(taken_back["method"], "notifications/cancelled");
        assert_eq!(taken_back["params"]["requestId"], question["id"]);
        let answer = server.hear();
        assert!(text(&answer).contains("did not answer `step1`"), "{answer}");
        // An answer that comes too late is nobody's concern.
        server.say(&accepts(&question, json!({ "name": "Bob" })));
        server.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }));
        assert_eq!(server.hear()["id"], 2);
        server.hang_up();
        assert!(server.ended().success());
    }
}

#[test]
fn a_second_answer_to_a_process_counts_for_nothing() {
    for revision in SESSIONS {
        let mut server = server(revision, "60000");
        server.call(1, "two_questions", json!({}));
        let first = server.hear();
        let answer = accepts(&first, json!({ "name": "Bob" }));
        // The second is illegal, so it is not told to what checks the messages.
        server.say(&answer);
        server.say_unchecked(&answer);
        let second = server.hear();
        server.say(&accepts(&second, json!({ "colour": "blue" })));
        assert_eq!(text(&server.hear()), "Bob likes blue");
    }
}

#[test]
fn a_client_that_hangs_up_leaves_no_process_waiting() {
    for revision in SESSIONS {
        let mut server = server(revision, "60000");
        server.call(1, "two_questions", json!({}));
        server.hear();
        server.hang_up();
        let answer = server.hear();
        assert!(text(&answer).contains("cannot be reached"), "{answer}");
        assert!(server.ended().success());
    }
}

#[test]
fn a_client_that_does_not_come_back_leaves_nothing_behind() {
    let mut server = server(Revision::V2026_07_28, "60000");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    // The same id again and again: each request is over with its answer.
    for _ in 0..3 {
        let params = json!({ "name": "two_questions", "arguments": {}, "_meta": meta });
        server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let asked = server.hear();
        assert_eq!(asked["result"]["resultType"], "input_required");
    }
    server.hang_up();
    assert!(server.ended().success());
}
