use serde_json::{Value, json};

use super::TortureRow;
use crate::dispatch::PendingCall;
use crate::testing::raw_client::RawClient;

/// Reuses the ids of requests in flight and cancels requests.
///
/// Only `subscriptions/listen` stays in flight without running a handler, so this check does
/// nothing for a server without that method.
pub(super) fn check(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    if !raw_client.revision.is_modern() {
        return completed(raw_client);
    }
    let mut rows = completed(raw_client);
    let Some(stream) = start_listening(raw_client, &json!("flight")) else {
        return rows;
    };
    let duplicate = raw_client.request_with_id(
        "an id that is in use",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(duplicate.expect_error(-32600));
    let other = raw_client.request_with_id("another id", &json!("other"), "no/such", json!({}));
    rows.push(other.expect_error(-32601));
    rows.push(
        raw_client
            .send("a cancellation", &cancellation(&json!("flight")))
            .expect_silence(),
    );
    drop(stream);
    let reused = raw_client.request_with_id(
        "an id that is no longer in use",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(reused.expect_error(-32601));
    rows
}

/// Cancels a request before sending it and after its response, and reuses its id.
fn completed(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let id = json!("reused");
    let early = raw_client.send("a cancellation before the request", &cancellation(&id));
    let mut rows = vec![early.expect_silence()];
    for _ in 0..2 {
        let response =
            raw_client.request_with_id("an id of a completed request", &id, "no/such", json!({}));
        rows.push(response.expect_error(-32601));
        rows.push(
            raw_client
                .send("a cancellation after the response", &cancellation(&id))
                .expect_silence(),
        );
    }
    rows
}

fn cancellation(id: &Value) -> Value {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

fn start_listening(raw_client: &mut RawClient<'_>, id: &Value) -> Option<PendingCall> {
    let params = json!({ "notifications": { "toolsListChanged": true } });
    raw_client.start(id, "subscriptions/listen", params)
}
