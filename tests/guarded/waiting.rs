//! Who waits for a person, and who does not have to.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::{ElicitResult, Revision};
use mcp_runtime::{Client, Server, ToolBody, ToolCall};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::server::{call, server};
use crate::talk::checked;

/// Long enough for anything that does happen.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_slot_is_not_held_while_somebody_thinks() {
    let server = server().build().unwrap();
    let (asked, decided) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (thinks, goes_on) = (Arc::clone(&asked), Arc::clone(&decided));
    let (builder, log) = checked(Revision::V2025_11_25);
    let slow = builder.principal(Principal::new("alice")).elicit(move |_| {
        let (thinks, goes_on) = (Arc::clone(&thinks), Arc::clone(&goes_on));
        async move {
            thinks.notify_one();
            goes_on.notified().await;
            ElicitResult::decline()
        }
    });
    let slow = slow.connect(server.clone()).await.unwrap();
    let thinking = tokio::spawn(async move {
        let _ = call(&slow, "sign", json!({ "path": "a" })).await;
        log.legal();
    });
    timeout(PATIENCE, asked.notified()).await.unwrap();
    let (builder, log) = checked(Revision::V2025_11_25);
    let quick = builder.principal(Principal::new("bob"));
    let quick = quick.elicit(|_| async { ElicitResult::accept([("approve", true)]) });
    let quick = quick.connect(server).await.unwrap();
    let signed = timeout(PATIENCE, call(&quick, "sign", json!({ "path": "b" })));
    let signed = signed.await.unwrap().unwrap();
    assert_eq!(signed["content"][0]["text"], "b is signed");
    decided.notify_one();
    thinking.await.unwrap();
    log.legal();
}

async fn in_place(server: Server, revision: Revision, tool: &str) -> String {
    let (builder, log) = checked(revision);
    let builder = builder.elicit(|_| async { ElicitResult::decline() });
    let client: Client = builder.connect(server.build().unwrap()).await.unwrap();
    let called = timeout(PATIENCE, call(&client, tool, json!({})));
    let result = called.await.unwrap().unwrap();
    log.legal();
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_asks_is_told_where_it_cannot_wait() {
    for tool in ["ask_in_place", "ask_in_time"] {
        for layered in [false, true] {
            let server = || match layered {
                true => server().layer(|_: ToolCall, body: ToolBody| body.run()),
                false => server(),
            };
            let modern = in_place(server(), Revision::V2026_07_28, tool).await;
            assert_eq!(modern, "hurry is not asked", "{tool}, {layered}");
            let session = in_place(server(), Revision::V2025_11_25, tool).await;
            assert_eq!(session, "answered: false", "{tool}, {layered}");
        }
    }
}
