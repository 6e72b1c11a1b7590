use serde_json::{Value, json};

use super::TortureRow;
use crate::dispatch::PendingCall;
use crate::testing::probe::Probe;

/// Reuses the ids of requests in flight and cancels requests.
///
/// Only `subscriptions/listen` stays in flight without running a handler, so this check does
/// nothing for a server without that method.
pub(super) fn check(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    if !probe.revision.is_modern() {
        return completed(probe);
    }
    let mut rows = completed(probe);
    let Some(stream) = start_listening(probe, &json!("flight")) else {
        return rows;
    };
    let duplicate = probe.request_with_id(
        "an id that is in use",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(duplicate.expect_error(-32600));
    let other = probe.request_with_id("another id", &json!("other"), "no/such", json!({}));
    rows.push(other.expect_error(-32601));
    rows.push(
        probe
            .send("a cancellation", &cancellation(&json!("flight")))
            .expect_silence(),
    );
    drop(stream);
    let reused = probe.request_with_id(
        "an id that is no longer in use",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(reused.expect_error(-32601));
    rows
}

/// Cancels a request before sending it and after its response, and reuses its id.
fn completed(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let id = json!("reused");
    let early = probe.send("a cancellation before the request", &cancellation(&id));
    let mut rows = vec![early.expect_silence()];
    for _ in 0..2 {
        let response =
            probe.request_with_id("an id of a completed request", &id, "no/such", json!({}));
        rows.push(response.expect_error(-32601));
        rows.push(
            probe
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

fn start_listening(probe: &mut Probe<'_>, id: &Value) -> Option<PendingCall> {
    let params = json!({ "notifications": { "toolsListChanged": true } });
    probe.start(id, "subscriptions/listen", params)
}
