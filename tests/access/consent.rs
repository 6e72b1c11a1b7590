//! Consent in the `requestState` of 2026-07-28 is good for one call.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcp_runtime::Dispatcher;
use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::{Connection, DispatchOutcome};
use serde_json::{Value, json};

use crate::confirmation::TURN;
use crate::tools::DELETED;
use support::access::{AuditLog, server};

/// Parameters of a call of `delete` that repeats a request state with consent.
pub(crate) fn call_with_consent(state: &Value, path: &str) -> Value {
    json!({
        "name": "delete",
        "arguments": { "path": path },
        "requestState": state,
        "inputResponses": {
            "mcp-runtime/approve": { "action": "accept", "content": { "approve": true } },
        },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        },
    })
}

/// Sends a `tools/call` request of 2026-07-28 as `caller`.
pub(crate) async fn send_call(server: &Dispatcher, caller: &str, params: &Value) -> Value {
    let connection = Connection::new().with_principal(Arc::new(Principal::new(caller)));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut reply = Vec::new();
    match server.dispatch(call.to_string().as_bytes(), &connection, &mut reply) {
        DispatchOutcome::Pending(pending) => reply = pending.run().await.unwrap(),
        DispatchOutcome::Replied(_) => {}
        DispatchOutcome::Silent => panic!("silent"),
    }
    serde_json::from_slice::<Value>(&reply).unwrap()
}

/// Calls `delete` without consent and returns the request state.
pub(crate) async fn request_state(server: &Dispatcher, caller: &str) -> Value {
    let mut first = call_with_consent(&json!(null), "a");
    first.as_object_mut().unwrap().remove("requestState");
    first.as_object_mut().unwrap().remove("inputResponses");
    let response = send_call(server, caller, &first).await;
    assert_eq!(
        response["result"]["resultType"], "input_required",
        "{response}"
    );
    response["result"]["requestState"].clone()
}

#[tokio::test]
async fn consent_is_bound_to_arguments_and_caller() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let state = &request_state(&server, "alice").await;
    for (caller, path) in [("alice", "b"), ("bob", "a")] {
        let rejected = send_call(&server, caller, &call_with_consent(state, path)).await;
        assert_eq!(rejected["error"]["code"], -32602, "{rejected}");
    }
    let done = send_call(&server, "alice", &call_with_consent(state, "a")).await;
    assert_eq!(done["result"]["content"][0]["text"], "a is gone", "{done}");
}

#[tokio::test]
async fn consent_is_good_for_one_call() {
    let _turn = TURN.lock().await;
    let audit = AuditLog::default();
    let server = audit.record(server()).build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let first = &request_state(&server, "alice").await;
    let second = &request_state(&server, "alice").await;
    for (state, good) in [
        (first, true),
        (first, false),
        (second, true),
        (second, false),
    ] {
        let answer = send_call(&server, "alice", &call_with_consent(state, "a")).await;
        assert_eq!(answer["result"].is_object(), good, "{answer}");
        let text = answer.to_string();
        assert_eq!(text.contains("was used before"), !good, "{text}");
    }
    assert_eq!(DELETED.load(Ordering::Relaxed) - before, 2);
    let expected = [
        "input_required",
        "input_required",
        "success",
        "invalid",
        "success",
        "invalid",
    ];
    assert_eq!(audit.outcomes(), expected);
    let expected = [
        "withheld", "withheld", "approved", "withheld", "approved", "withheld",
    ];
    assert_eq!(audit.decisions(), expected);
}

#[tokio::test]
async fn refusal_is_good_for_one_call() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let state = &request_state(&server, "alice").await;
    let mut declined = call_with_consent(state, "a");
    declined["inputResponses"]["mcp-runtime/approve"] = json!({ "action": "decline" });
    let answer = send_call(&server, "alice", &declined).await;
    assert_eq!(answer["result"]["isError"], true);
    let answer = send_call(&server, "alice", &call_with_consent(state, "a")).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn unrequested_consent_is_ignored() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let mut unrequested = call_with_consent(&json!(null), "a");
    unrequested.as_object_mut().unwrap().remove("requestState");
    let answer = send_call(&server, "alice", &unrequested).await;
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn dry_run_does_not_use_up_consent() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let state = &request_state(&server, "alice").await;
    let mut dry = call_with_consent(state, "a");
    dry["_meta"]["mcp-runtime/dryRun"] = json!(true);
    let answer = send_call(&server, "alice", &dry).await;
    assert!(answer.to_string().contains("would run"), "{answer}");
    let answer = send_call(&server, "alice", &call_with_consent(state, "a")).await;
    assert_eq!(
        answer["result"]["content"][0]["text"], "a is gone",
        "{answer}"
    );
}

/// Sends a call of `wipe` with these arguments as text, and the state with consent if there
/// is one.
async fn wipe(server: &Dispatcher, arguments: &str, state: Option<&Value>) -> Value {
    let mut params = call_with_consent(state.unwrap_or(&Value::Null), "");
    params["name"] = json!("wipe");
    params["arguments"] = json!("ARGUMENTS");
    if state.is_none() {
        params.as_object_mut().unwrap().remove("requestState");
        params.as_object_mut().unwrap().remove("inputResponses");
    }
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let call = call.to_string().replace("\"ARGUMENTS\"", arguments);
    let connection = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let mut reply = Vec::new();
    match server.dispatch(call.as_bytes(), &connection, &mut reply) {
        DispatchOutcome::Pending(pending) => reply = pending.run().await.unwrap(),
        DispatchOutcome::Replied(_) => {}
        DispatchOutcome::Silent => panic!("silent"),
    }
    serde_json::from_slice(&reply).unwrap()
}

#[tokio::test]
async fn consent_is_bound_to_values_that_json_readers_round_or_reject() {
    let server = server().build().unwrap();
    for (asked, other, shown) in [
        // Neighbours are equal as `f64`.
        (
            r#"{"id":1267650600228229401496703205376}"#,
            r#"{"id":1267650600228229401496703205377}"#,
            "1267650600228229401496703205376",
        ),
        // Ignored members that cannot be parsed as a `serde_json::Value`.
        (r#"{"id":1,"x":"\ud800"}"#, r#"{"id":2,"x":"\ud800"}"#, "1"),
        (r#"{"id":1,"x":1e999}"#, r#"{"id":2,"x":1e999}"#, "1"),
        (
            r#"{"x":["a\udfff"],"id":1}"#,
            r#"{"x":["a\udfff"],"id":2}"#,
            "1",
        ),
    ] {
        let answer = wipe(&server, asked, None).await;
        let request = &answer["result"]["inputRequests"]["mcp-runtime/approve"];
        let message = request["params"]["message"].as_str();
        assert_eq!(message, Some(&*format!("Delete note {shown}?")), "{answer}");
        let state = &answer["result"]["requestState"];
        let rejected = wipe(&server, other, Some(state)).await;
        assert_eq!(rejected["error"]["code"], -32602, "{rejected}");
        let done = wipe(&server, asked, Some(state)).await;
        let text = format!("{shown} is gone");
        assert_eq!(done["result"]["content"][0]["text"], text, "{done}");
    }
}

#[tokio::test]
async fn equal_numbers_have_the_same_consent() {
    let server = server().build().unwrap();
    let answer = wipe(&server, r#"{"id":1}"#, None).await;
    let state = &answer["result"]["requestState"];
    let done = wipe(&server, r#"{"id":1.0}"#, Some(state)).await;
    assert_eq!(done["result"]["content"][0]["text"], "1 is gone", "{done}");
}
