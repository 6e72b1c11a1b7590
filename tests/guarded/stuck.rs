//! Whose time a timeout counts, and what goes on after it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::{ElicitResult, Revision};
use mcp_runtime::{Dispatched, Peer};
use serde_json::json;
use tokio::sync::Mutex;

use crate::server::{Book, call, said, server, somebody};
use crate::talk::checked;
use crate::tools::{LET_GO, STUCK};

/// One call of `stuck` at a time.
static TURN: Mutex<()> = Mutex::const_new(());

#[tokio::test(start_paused = true)]
async fn a_person_may_take_longer_than_the_tool() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        for (seconds, outcome) in [(0, "success"), (2, "timed_out")] {
            let book = Book::default();
            let (builder, log) = checked(revision);
            let builder = builder.elicit(|_| async {
                tokio::time::sleep(Duration::from_secs(200)).await;
                ElicitResult::accept([("is", false)])
            });
            let server = book.kept(server()).build().unwrap();
            let client = builder.connect(server).await.unwrap();
            let (failed, text) = said(&client, "patient", json!({ "seconds": seconds })).await;
            assert_eq!(failed, seconds > 0, "{revision}: {text}");
            assert_eq!(book.outcomes(), [outcome]);
            log.legal();
        }
    }
}

#[tokio::test]
async fn a_thread_that_is_late_learns_it_and_counts_until_it_ends() {
    let _turn = TURN.lock().await;
    let book = Book::default();
    let full = book.kept(server().max_calls(1));
    let (client, log) = somebody(full, Revision::NEWEST, &[]).await;
    let (failed, text) = said(&client, "stuck", json!({})).await;
    assert!(failed && text.contains("within 20ms"), "{text}");
    // The caller has its answer, and the thread is still there.
    while !STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    let echo = async || call(&client, "echo", json!({ "text": "a" })).await;
    assert_eq!(echo().await.unwrap_err()["code"], -31429);
    LET_GO.0.send(()).unwrap();
    while echo().await.is_err() {
        tokio::task::yield_now().await;
    }
    assert!(!STUCK.load(Ordering::SeqCst));
    log.legal();
    let outcomes = book.outcomes();
    assert_eq!(outcomes.first(), Some(&"timed_out"));
    assert_eq!(outcomes.last(), Some(&"success"));
}

#[tokio::test]
async fn a_thread_whose_connection_is_gone_learns_it() {
    let _turn = TURN.lock().await;
    let book = Book::default();
    let server = book.kept(server()).build().unwrap();
    let peer = Peer::new().with_principal(Arc::new(Principal::new("alice")));
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
    let dispatched = server.dispatch(message.to_string().as_bytes(), &peer, &mut Vec::new());
    let Dispatched::Pending(pending) = dispatched else {
        panic!("{dispatched:?}");
    };
    let running = tokio::spawn(pending.run());
    while !STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    // The transport drops what it ran for a connection that is gone.
    running.abort();
    while STUCK.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    assert_eq!(peer.calls_in_flight(), 0);
    while book.outcomes().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(book.outcomes(), ["cancelled"]);
}
