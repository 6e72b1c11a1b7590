//! Consent that travels through a client of 2026-07-28 is good once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcp_runtime::auth::Principal;
use mcp_runtime::{Dispatched, Dispatcher, Peer};
use serde_json::{Value, json};

use crate::approve::TURN;
use crate::server::{Book, server};
use crate::tools::DELETED;

/// What a client of 2026-07-28 brings back that was asked and said yes.
pub(crate) fn consent(state: &Value, path: &str) -> Value {
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

/// Says a call of 2026-07-28 in the name of somebody.
pub(crate) async fn say(server: &Dispatcher, caller: &str, params: &Value) -> Value {
    let peer = Peer::new().with_principal(Arc::new(Principal::new(caller)));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut reply = Vec::new();
    match server.dispatch(call.to_string().as_bytes(), &peer, &mut reply) {
        Dispatched::Pending(pending) => reply = pending.run().await.unwrap(),
        Dispatched::Replied(_) => {}
        Dispatched::Silent => panic!("silent"),
    }
    serde_json::from_slice::<Value>(&reply).unwrap()
}

/// The call that asks, and the state that came.
pub(crate) async fn state(server: &Dispatcher, caller: &str) -> Value {
    let mut first = consent(&json!(null), "a");
    first.as_object_mut().unwrap().remove("requestState");
    first.as_object_mut().unwrap().remove("inputResponses");
    let asked = say(server, caller, &first).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    asked["result"]["requestState"].clone()
}

#[tokio::test]
async fn consent_is_for_these_arguments_and_this_caller() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let state = &state(&server, "alice").await;
    for (caller, path) in [("alice", "b"), ("bob", "a")] {
        let refused = say(&server, caller, &consent(state, path)).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let done = say(&server, "alice", &consent(state, "a")).await;
    assert_eq!(done["result"]["content"][0]["text"], "a is gone", "{done}");
}

#[tokio::test]
async fn consent_is_for_one_call() {
    let _turn = TURN.lock().await;
    let book = Book::default();
    let server = book.kept(server()).build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let first = &state(&server, "alice").await;
    let second = &state(&server, "alice").await;
    for (state, good) in [
        (first, true),
        (first, false),
        (second, true),
        (second, false),
    ] {
        let answer = say(&server, "alice", &consent(state, "a")).await;
        assert_eq!(answer["result"].is_object(), good, "{answer}");
        let text = answer.to_string();
        assert_eq!(text.contains("was used before"), !good, "{text}");
    }
    assert_eq!(DELETED.load(Ordering::Relaxed) - before, 2);
    let expected = ["asked", "asked", "success", "invalid", "success", "invalid"];
    assert_eq!(book.outcomes(), expected);
    let expected = [
        "withheld", "withheld", "approved", "withheld", "approved", "withheld",
    ];
    assert_eq!(book.decisions(), expected);
}

#[tokio::test]
async fn a_no_is_for_one_call_too() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let state = &state(&server, "alice").await;
    let mut no = consent(state, "a");
    no["inputResponses"]["mcp-runtime/approve"] = json!({ "action": "decline" });
    let answer = say(&server, "alice", &no).await;
    assert_eq!(answer["result"]["isError"], true);
    let answer = say(&server, "alice", &consent(state, "a")).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn a_yes_to_what_was_not_asked_is_none() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let before = DELETED.load(Ordering::Relaxed);
    let mut eager = consent(&json!(null), "a");
    eager.as_object_mut().unwrap().remove("requestState");
    let answer = say(&server, "alice", &eager).await;
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn a_dry_run_uses_no_consent_up() {
    let _turn = TURN.lock().await;
    let server = server().build().unwrap();
    let state = &state(&server, "alice").await;
    let mut dry = consent(state, "a");
    dry["_meta"]["mcp-runtime/dryRun"] = json!(true);
    let answer = say(&server, "alice", &dry).await;
    assert!(answer.to_string().contains("would run"), "{answer}");
    let answer = say(&server, "alice", &consent(state, "a")).await;
    assert_eq!(
        answer["result"]["content"][0]["text"], "a is gone",
        "{answer}"
    );
}
