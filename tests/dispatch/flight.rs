//! Calls that are not answered at once.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};
use crate::tools::DROPPED;

fn cancel(talk: &mut Talk, id: &Value) {
    let params = json!({ "requestId": id });
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(talk.say(&cancelled), None);
}

fn start(talk: &mut Talk, tool: &str) -> (Value, mcp_runtime::Pending) {
    let request = talk.request("tools/call", json!({ "name": tool }));
    let pending = talk.begin(&request);
    (request, pending)
}

#[test]
fn a_cancelled_call_is_silent_and_its_future_dropped() {
    for revision in ALL {
        let mut talk = Talk::in_revision(revision);
        let (request, pending) = start(&mut talk, "forever");
        assert_eq!(talk.peer.calls_in_flight(), 1);
        let dropped = DROPPED.load(Ordering::SeqCst);
        cancel(&mut talk, &request["id"]);
        assert_eq!(talk.wait(pending), None);
        assert!(DROPPED.load(Ordering::SeqCst) > dropped);
        assert_eq!(talk.peer.calls_in_flight(), 0);
    }
}

#[test]
fn a_cancelled_thread_is_told_and_its_result_withheld() {
    let mut talk = Talk::in_revision(Revision::V2025_11_25);
    let (request, pending) = start(&mut talk, "block_until_cancelled");
    let id = request["id"].clone();
    let peer = talk.peer.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        peer.cancel_all();
    });
    talk.conversation.forbid_answer(&id);
    assert_eq!(talk.wait(pending), None);
    canceller.join().unwrap();
    assert_eq!(talk.peer.calls_in_flight(), 0);
}

#[test]
fn an_id_in_flight_is_refused_and_free_again_after_cancellation() {
    for revision in ALL {
        let mut talk = Talk::in_revision(revision);
        let (request, pending) = start(&mut talk, "forever");
        let mut reply = Vec::new();
        let text = request.to_string();
        let _ = talk
            .dispatcher
            .dispatch(text.as_bytes(), &talk.peer, &mut reply);
        let reply: Value = serde_json::from_slice(&reply).unwrap();
        assert_contains(
            &reply,
            &json!({ "id": request["id"], "error": { "code": -32600 } }),
        );
        cancel(&mut talk, &request["id"]);
        let mut again = talk.request("tools/call", json!({ "name": "nothing" }));
        again["id"] = request["id"].clone();
        assert_contains(
            &talk.say(&again).unwrap(),
            &json!({ "result": { "content": [] } }),
        );
        drop(pending);
        assert_eq!(talk.peer.calls_in_flight(), 0);
    }
}

#[test]
fn dropping_a_call_leaves_nothing_in_flight() {
    let mut talk = Talk::in_revision(Revision::V2026_07_28);
    let (_, pending) = start(&mut talk, "forever");
    drop(pending);
    assert_eq!(talk.peer.calls_in_flight(), 0);
}

#[test]
fn cancelling_what_is_unknown_or_done_changes_nothing() {
    let mut talk = Talk::in_revision(Revision::V2025_06_18);
    let answer = talk.call("nothing", json!({}));
    let id = answer["id"].clone();
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    assert_eq!(talk.say(&cancelled), None);
    assert_contains(
        &talk.call("nothing", json!({})),
        &json!({ "result": { "content": [] } }),
    );
}
