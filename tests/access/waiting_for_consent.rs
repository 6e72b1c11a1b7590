//! Permits and threads while waiting for an answer.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::{ElicitResult, Revision};
use mcp_runtime::{Client, Next, Server, ToolCall};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use support::access::{call_tool, server};
use support::checked_client::checked_client;

/// How long a test waits for something that must happen.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn permit_is_not_held_while_waiting_for_consent() {
    let server = server().build().unwrap();
    let (requested, answered) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (request_seen, answer_allowed) = (Arc::clone(&requested), Arc::clone(&answered));
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let slow = builder.principal(Principal::new("alice")).elicit(move |_| {
        let (request_seen, answer_allowed) =
            (Arc::clone(&request_seen), Arc::clone(&answer_allowed));
        async move {
            request_seen.notify_one();
            answer_allowed.notified().await;
            ElicitResult::decline()
        }
    });
    let slow = slow.connect(server.clone()).await.unwrap();
    let waiting = tokio::spawn(async move {
        let _ = call_tool(&slow, "sign", json!({ "path": "a" })).await;
        log.assert_valid();
    });
    timeout(TIMEOUT, requested.notified()).await.unwrap();
    let (builder, log) = checked_client(Revision::V2025_11_25);
    let quick = builder.principal(Principal::new("bob"));
    let quick = quick.elicit(|_| async { ElicitResult::accept([("approve", true)]) });
    let quick = quick.connect(server).await.unwrap();
    let signed = timeout(TIMEOUT, call_tool(&quick, "sign", json!({ "path": "b" })));
    let signed = signed.await.unwrap().unwrap();
    assert_eq!(signed["content"][0]["text"], "b is signed");
    answered.notify_one();
    waiting.await.unwrap();
    log.assert_valid();
}

async fn call_blocking_tool(server: Server, revision: Revision, tool: &str) -> String {
    let (builder, log) = checked_client(revision);
    let builder = builder.elicit(|_| async { ElicitResult::decline() });
    let client: Client = builder.connect(server.build().unwrap()).await.unwrap();
    let called = timeout(TIMEOUT, call_tool(&client, tool, json!({})));
    let result = called.await.unwrap().unwrap();
    log.assert_valid();
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocking_handler_gets_an_error_where_it_cannot_wait_for_input() {
    for tool in ["ask_in_place", "ask_in_time"] {
        for with_middleware in [false, true] {
            let server = || match with_middleware {
                true => server().middleware(|_: ToolCall, next: Next| next.run()),
                false => server(),
            };
            let modern = call_blocking_tool(server(), Revision::V2026_07_28, tool).await;
            assert_eq!(
                modern, "hurry is not requested",
                "{tool}, {with_middleware}"
            );
            let session = call_blocking_tool(server(), Revision::V2025_11_25, tool).await;
            assert_eq!(session, "answered: false", "{tool}, {with_middleware}");
        }
    }
}
