//! Which time counts towards a timeout, and what continues after it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::{Connection, DispatchOutcome};
use mcp_runtime::protocol::{ElicitResult, Revision};
use serde_json::json;
use tokio::sync::Mutex;

use crate::tools::{RELEASE, STUCK};
use support::access::{AuditLog, alice_with_scopes, call_text, call_tool, server};
use support::checked_client::checked_client;

/// These tests call `stuck` one at a time.
static TURN: Mutex<()> = Mutex::const_new(());

#[tokio::test(start_paused = true)]
async fn time_spent_waiting_for_an_answer_does_not_count_towards_the_timeout() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        for (seconds, outcome) in [(0, "success"), (2, "timed_out")] {
            let audit = AuditLog::default();
            let (builder, log) = checked_client(revision);
            let builder = builder.elicit(|_| async {
                tokio::time::sleep(Duration::from_secs(200)).await;
                ElicitResult::accept([("is", false)])
            });
            let server = audit.record(server()).build().unwrap();
            let client = builder.connect(server).await.unwrap();
            let (failed, text) = call_text(&client, "patient", json!({ "seconds": seconds })).await;
            assert_eq!(failed, seconds > 0, "{revision}: {text}");
            assert_eq!(audit.outcomes(), [outcome]);
            log.assert_valid();
        }
    }
}

#[tokio::test]
async fn timed_out_blocking_handler_is_cancelled_and_keeps_its_permit_until_it_ends() {
    let _turn = TURN.lock().await;
    let audit = AuditLog::default();
    let server = audit.record(server().max_concurrent_calls(1));
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    let (failed, text) = call_text(&client, "stuck", json!({})).await;
    assert!(failed && text.contains("within 20ms"), "{text}");
    // The caller has its response, and the thread is still running.
    while !STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    let echo = async || call_tool(&client, "echo", json!({ "text": "a" })).await;
    assert_eq!(echo().await.unwrap_err()["code"], -31429);
    RELEASE.0.send(()).unwrap();
    while echo().await.is_err() {
        tokio::task::yield_now().await;
    }
    assert!(!STUCK.load(Ordering::SeqCst));
    log.assert_valid();
    let outcomes = audit.outcomes();
    assert_eq!(outcomes.first(), Some(&"timed_out"));
    assert_eq!(outcomes.last(), Some(&"success"));
}

#[tokio::test]
async fn blocking_handler_of_a_lost_connection_is_cancelled() {
    let _turn = TURN.lock().await;
    let audit = AuditLog::default();
    let server = audit.record(server()).build().unwrap();
    let connection = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "abandoned", "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let dispatched = server.dispatch(message.to_string().as_bytes(), &connection, &mut Vec::new());
    let DispatchOutcome::Pending(pending) = dispatched else {
        panic!("{dispatched:?}");
    };
    let running = tokio::spawn(pending.run());
    while !STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    // A transport drops the calls of a lost connection.
    running.abort();
    while STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    assert_eq!(connection.calls_in_flight(), 0);
    while audit.outcomes().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(audit.outcomes(), ["cancelled"]);
}
