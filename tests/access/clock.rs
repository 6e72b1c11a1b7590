//! Changes of the system clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Dispatcher, Rate, Server};
use serde_json::json;

use crate::consent::{call_with_consent, request_state, send_call};
use support::access::{AuditLog, alice_with_scopes, call_tool, server};

/// The initial time of the tests, in seconds since 1970.
const START_TIME: u64 = 1_800_000_000;

/// A server with a clock that the test sets; 0 is before 1970.
fn with_clock(server: Server) -> (Server, Arc<AtomicU64>) {
    let clock = Arc::new(AtomicU64::new(START_TIME));
    let time = Arc::clone(&clock);
    let server = server.clock(move || match time.load(Ordering::SeqCst) {
        0 => SystemTime::UNIX_EPOCH - Duration::from_secs(1),
        seconds => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
    });
    (server, clock)
}

async fn is_accepted(server: &Dispatcher, state: &serde_json::Value) -> bool {
    let answer = send_call(server, "alice", &call_with_consent(state, "a")).await;
    let accepted = answer["result"]["content"][0]["text"] == "a is gone";
    assert!(accepted || answer["error"]["code"] == -32602, "{answer}");
    accepted
}

#[tokio::test]
async fn consent_expires_by_either_clock() {
    let _turn = crate::confirmation::TURN.lock().await;
    for (now, accepted) in [
        (START_TIME + 599, true),
        (START_TIME + 600, false),
        (u64::from(u32::MAX), false),
        (START_TIME - 1_000_000, true),
        (0, false),
    ] {
        let (server, clock) = with_clock(server());
        let server = server.build().unwrap();
        let state = request_state(&server, "alice").await;
        clock.store(now, Ordering::SeqCst);
        assert_eq!(is_accepted(&server, &state).await, accepted, "{now}");
        // Consent is good once, however the clock is set.
        clock.store(START_TIME, Ordering::SeqCst);
        assert_eq!(is_accepted(&server, &state).await, !accepted, "{now}");
    }
}

#[tokio::test]
async fn system_clock_changes_do_not_affect_rate_limits() {
    let audit = AuditLog::default();
    let (server, clock) = with_clock(server().rate_limit(Rate::per_hour(1)));
    let (client, log) = alice_with_scopes(audit.record(server), Revision::NEWEST, &[]).await;
    let times = [START_TIME, START_TIME + 1_000_000, 0, 1];
    for (calls, now) in times.into_iter().enumerate() {
        clock.store(now, Ordering::SeqCst);
        let answer = call_tool(&client, "echo", json!({ "text": "a" })).await;
        assert_eq!(answer.is_ok(), calls == 0);
    }
    log.assert_valid();
    let records = audit.records();
    let times = records.iter().map(|record| &record.time[..19]);
    let expected = [
        "2027-01-15T08:00:00",
        "2027-01-26T21:46:40",
        "1970-01-01T00:00:00",
    ];
    assert_eq!(times.take(3).collect::<Vec<_>>(), expected);
}
