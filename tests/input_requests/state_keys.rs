//! State keys shared by the replicas of a server, and their rotation.

use std::process::Command;

use serde_json::{Value, json};

use support::process::ServerProcess;

const OLD: &str = "0101010101010101010101010101010101010101010101010101010101010101";
const NEW: &str = "0202020202020202020202020202020202020202020202020202020202020202";

fn replica(keys: &str) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-server"));
    ServerProcess::spawn(command.env("MCP_STATE_KEY", keys))
}

/// Calls `two_questions` with additional parameters.
fn call(server: &mut ServerProcess, more: &Value) -> Value {
    let mut params = json!({ "name": "two_questions", "arguments": {} });
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let more = more.as_object().unwrap().clone();
    params.as_object_mut().unwrap().extend(more);
    server.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    server.receive()
}

/// The parameters that continue a call.
fn continuation(first: &Value) -> Value {
    let name = json!({ "action": "accept", "content": { "name": "Bob" } });
    let state = &first["result"]["requestState"];
    json!({ "inputResponses": { "step1": name }, "requestState": state })
}

#[test]
fn request_state_is_valid_at_every_replica_with_its_key() {
    let first = call(&mut replica(OLD), &json!({}));
    let retry = continuation(&first);
    for keys in [OLD.to_owned(), format!("{NEW},{OLD}")] {
        let answer = call(&mut replica(&keys), &retry);
        let requests = &answer["result"]["inputRequests"];
        assert!(requests["step2"].is_object(), "{keys}: {answer}");
    }
    let rejected = call(&mut replica(NEW), &retry);
    assert_eq!(rejected["error"]["code"], -32602);
    // The newest key seals new states.
    let first = call(&mut replica(&format!("{NEW},{OLD}")), &json!({}));
    let answer = call(&mut replica(NEW), &continuation(&first));
    assert!(answer["result"]["inputRequests"]["step2"].is_object());
}

#[test]
fn invalid_state_key_fails_startup() {
    for keys in [
        "short",
        "0101",
        "not hexadecimal, but long enough for the key that it should be",
    ] {
        assert!(!replica(keys).wait_for_exit().success(), "{keys}");
    }
}
