//! The clock of the system is set, forwards and back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use mcp_runtime::protocol::Revision;
use mcp_runtime::{Dispatcher, Rate, Server};
use serde_json::json;

use crate::consent::{consent, say, state};
use crate::server::{Book, call, server, somebody};

/// Seconds since 1970 at which the tests begin.
const BEGINNING: u64 = 1_800_000_000;

/// A server whose clock the test sets; 0 is before 1970.
fn clocked(server: Server) -> (Server, Arc<AtomicU64>) {
    let clock = Arc::new(AtomicU64::new(BEGINNING));
    let told = Arc::clone(&clock);
    let server = server.clock(move || match told.load(Ordering::SeqCst) {
        0 => SystemTime::UNIX_EPOCH - Duration::from_secs(1),
        seconds => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
    });
    (server, clock)
}

async fn is_taken(server: &Dispatcher, state: &serde_json::Value) -> bool {
    let answer = say(server, "alice", &consent(state, "a")).await;
    let taken = answer["result"]["content"][0]["text"] == "a is gone";
    assert!(taken || answer["error"]["code"] == -32602, "{answer}");
    taken
}

#[tokio::test]
async fn consent_is_too_old_after_its_life_by_whichever_clock() {
    let _turn = crate::approve::TURN.lock().await;
    for (now, taken) in [
        (BEGINNING + 599, true),
        (BEGINNING + 600, false),
        (u64::from(u32::MAX), false),
        (BEGINNING - 1_000_000, true),
        (0, false),
    ] {
        let (server, clock) = clocked(server());
        let server = server.build().unwrap();
        let state = state(&server, "alice").await;
        clock.store(now, Ordering::SeqCst);
        assert_eq!(is_taken(&server, &state).await, taken, "{now}");
        // However the clock is set, nothing is taken twice.
        clock.store(BEGINNING, Ordering::SeqCst);
        assert_eq!(is_taken(&server, &state).await, !taken, "{now}");
    }
}

#[tokio::test]
async fn no_clock_frees_a_caller_or_ends_a_call() {
    let book = Book::default();
    let (limited, clock) = clocked(server().rate_limit(Rate::per_hour(1)));
    let (client, log) = somebody(book.kept(limited), Revision::NEWEST, &[]).await;
    let times = [BEGINNING, BEGINNING + 1_000_000, 0, 1];
    for (calls, now) in times.into_iter().enumerate() {
        clock.store(now, Ordering::SeqCst);
        let answer = call(&client, "echo", json!({ "text": "a" })).await;
        assert_eq!(answer.is_ok(), calls == 0);
    }
    log.legal();
    let records = book.records();
    let times = records.iter().map(|record| &record.time[..19]);
    let expected = [
        "2027-01-15T08:00:00",
        "2027-01-26T21:46:40",
        "1970-01-01T00:00:00",
    ];
    assert_eq!(times.take(3).collect::<Vec<_>>(), expected);
}
