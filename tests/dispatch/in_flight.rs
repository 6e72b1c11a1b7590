//! Calls in flight, and their cancellation.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use support::wire::Revision;

use crate::tools::DROPPED;
use support::dispatcher_client::{DispatcherClient, assert_contains};

fn cancel(client: &mut DispatcherClient, id: &Value) {
    let params = json!({ "requestId": id });
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(client.send(&cancelled), None);
}

fn start(client: &mut DispatcherClient, tool: &str) -> (Value, mcp_runtime::dispatch::PendingCall) {
    let request = client.new_request("tools/call", json!({ "name": tool }));
    let pending = client.start(&request);
    (request, pending)
}

#[test]
fn cancelled_call_gets_no_response_and_drops_its_future() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        let (request, pending) = start(&mut client, "forever");
        assert_eq!(client.connection.calls_in_flight(), 1);
        let dropped = DROPPED.load(Ordering::SeqCst);
        cancel(&mut client, &request["id"]);
        assert_eq!(client.finish(pending), None);
        assert!(DROPPED.load(Ordering::SeqCst) > dropped);
        assert_eq!(client.connection.calls_in_flight(), 0);
    }
}

#[test]
fn cancelled_blocking_handler_is_notified_and_its_result_withheld() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_11_25);
    let (request, pending) = start(&mut client, "block_until_cancelled");
    let id = request["id"].clone();
    let connection = client.connection.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        connection.cancel_all();
    });
    client.conversation.forbid_response(&id);
    assert_eq!(client.finish(pending), None);
    canceller.join().unwrap();
    assert_eq!(client.connection.calls_in_flight(), 0);
}

#[test]
fn id_in_flight_is_rejected_and_reusable_after_cancellation() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::in_revision(revision);
        let (request, pending) = start(&mut client, "forever");
        let mut reply = Vec::new();
        let text = request.to_string();
        let _ = client
            .dispatcher
            .dispatch(text.as_bytes(), &client.connection, &mut reply);
        let reply: Value = serde_json::from_slice(&reply).unwrap();
        assert_contains(
            &reply,
            &json!({ "id": request["id"], "error": { "code": -32600 } }),
        );
        cancel(&mut client, &request["id"]);
        let mut again = client.new_request("tools/call", json!({ "name": "nothing" }));
        again["id"] = request["id"].clone();
        assert_contains(
            &client.send(&again).unwrap(),
            &json!({ "result": { "content": [{ "text": "No content." }] } }),
        );
        drop(pending);
        assert_eq!(client.connection.calls_in_flight(), 0);
    }
}

#[test]
fn dropped_call_is_no_longer_in_flight() {
    let mut client = DispatcherClient::in_revision(Revision::V2026_07_28);
    let (_, pending) = start(&mut client, "forever");
    drop(pending);
    assert_eq!(client.connection.calls_in_flight(), 0);
}

#[test]
fn cancelling_a_completed_request_has_no_effect() {
    let mut client = DispatcherClient::in_revision(Revision::V2025_06_18);
    let response = client.call("nothing", json!({}));
    let id = response["id"].clone();
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    assert_eq!(client.send(&cancelled), None);
    assert_contains(
        &client.call("nothing", json!({})),
        &json!({ "result": { "content": [{ "text": "No content." }] } }),
    );
}
