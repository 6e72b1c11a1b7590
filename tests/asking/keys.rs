//! The keys that replicas of a server share, and how they are changed.

use std::process::Command;

use serde_json::{Value, json};

use crate::process::Server;

const OLD: &str = "0101010101010101010101010101010101010101010101010101010101010101";
const NEW: &str = "0202020202020202020202020202020202020202020202020202020202020202";

fn replica(keys: &str) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    Server::run(command.env("MCP_STATE_KEY", keys))
}

/// Calls with what else the parameters have.
fn call(server: &mut Server, more: &Value) -> Value {
    let mut params = json!({ "name": "two_questions", "arguments": {} });
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let more = more.as_object().unwrap().clone();
    params.as_object_mut().unwrap().extend(more);
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    server.hear()
}

/// What goes on with an earlier call.
fn go_on(asked: &Value) -> Value {
    let name = json!({ "action": "accept", "content": { "name": "Bob" } });
    let state = &asked["result"]["requestState"];
    json!({ "inputResponses": { "step1": name }, "requestState": state })
}

#[test]
fn a_state_is_good_at_every_replica_as_long_as_its_key_is_there() {
    let asked = call(&mut replica(OLD), &json!({}));
    let retry = go_on(&asked);
    for keys in [OLD.to_owned(), format!("{NEW},{OLD}")] {
        let answer = call(&mut replica(&keys), &retry);
        let requests = &answer["result"]["inputRequests"];
        assert!(requests["step2"].is_object(), "{keys}: {answer}");
    }
    let refused = call(&mut replica(NEW), &retry);
    assert_eq!(refused["error"]["code"], -32602);
    // The newest key seals.
    let asked = call(&mut replica(&format!("{NEW},{OLD}")), &json!({}));
    let answer = call(&mut replica(NEW), &go_on(&asked));
    assert!(answer["result"]["inputRequests"]["step2"].is_object());
}

#[test]
fn a_key_that_is_none_stops_the_start() {
    for keys in [
        "short",
        "0101",
        "not hexadecimal, but long enough for the key that it should be",
    ] {
        assert!(!replica(keys).ended().success(), "{keys}");
    }
}
