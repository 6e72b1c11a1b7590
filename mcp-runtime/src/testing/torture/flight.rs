use serde_json::{Value, json};

use super::TortureRow;
use crate::dispatch::Pending;
use crate::testing::probe::Probe;

/// Requests that are still in flight: ids that are taken, and cancellations.
///
/// A stream of changes is the one request that lasts without any body; servers
/// that have none are not asked.
pub(super) fn ask(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    if !probe.revision.is_modern() {
        return answered(probe);
    }
    let mut rows = answered(probe);
    let Some(stream) = listen(probe, &json!("flight")) else {
        return rows;
    };
    let twice = probe.request_as(
        "an id that is taken",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(twice.error(-32600));
    let other = probe.request_as(
        "another id meanwhile",
        &json!("other"),
        "no/such",
        json!({}),
    );
    rows.push(other.error(-32601));
    rows.push(
        probe
            .ask("a cancellation", &cancelled(&json!("flight")))
            .silent(),
    );
    drop(stream);
    let free = probe.request_as(
        "an id that is free again",
        &json!("flight"),
        "no/such",
        json!({}),
    );
    rows.push(free.error(-32601));
    rows
}

/// Cancellations that come too early or too late, and ids that are used again.
fn answered(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let id = json!("again");
    let early = probe.ask("a cancellation of what is to come", &cancelled(&id));
    let mut rows = vec![early.silent()];
    for _ in 0..2 {
        let asked = probe.request_as("an id that was answered", &id, "no/such", json!({}));
        rows.push(asked.error(-32601));
        rows.push(
            probe
                .ask("a cancellation too late", &cancelled(&id))
                .silent(),
        );
    }
    rows
}

fn cancelled(id: &Value) -> Value {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

fn listen(probe: &mut Probe<'_>, id: &Value) -> Option<Pending> {
    let params = json!({ "notifications": { "toolsListChanged": true } });
    probe.begin(id, "subscriptions/listen", params)
}
