//! What implementers of dispatchers forget, and no other test here holds.

use std::sync::{Arc, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Peer, Server, ToolBody, ToolCall};
use serde_json::json;

use crate::server::{Book, call, said, server, somebody};

#[tokio::test]
async fn a_request_within_a_request_leaves_it_as_it_was() {
    let inner = Arc::new(server().build().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let layer = move |call: ToolCall, body: ToolBody| {
        let (inner, told) = (Arc::clone(&inner), Arc::clone(&told));
        async move {
            // As bob, a call that panics, within that of alice.
            let peer = Peer::new().with_principal(Arc::new(Principal::new("bob")));
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            let params = json!({ "name": "panic", "arguments": { "text": "a" }, "_meta": meta });
            let message =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            let mut reply = Vec::new();
            let _ = inner.dispatch(message.to_string().as_bytes(), &peer, &mut reply);
            assert!(String::from_utf8(reply).unwrap().contains("isError"));
            let caller = call.context.principal().map(|it| it.id.to_string());
            told.lock().unwrap().push((caller, call.context.revision()));
            body.run().await
        }
    };
    let book = Book::default();
    let (client, log) =
        somebody(book.kept(server().layer(layer)), Revision::V2025_06_18, &[]).await;
    assert_eq!(said(&client, "who", json!({})).await.1, "alice");
    let alice = (Some("alice".to_owned()), Revision::V2025_06_18);
    assert_eq!(*heard.lock().unwrap(), [alice]);
    assert_eq!(book.records()[0].principal.as_deref(), Some("alice"));
    log.legal();
}

#[test]
fn a_timeout_of_zero_does_not_start() {
    let server = Server::new("tests", "1.0.0").allow_local();
    let error = server
        .timeout(std::time::Duration::ZERO)
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("zero"), "{error}");
}

#[test]
fn each_call_of_a_batch_counts() {
    let book = Book::default();
    let server = book.kept(server().rate_limit_of("echo", mcp_runtime::Rate::per_hour(2)));
    let server = server.build().unwrap();
    let peer = Peer::new().with_principal(Arc::new(Principal::new("alice")));
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    let _ = server.dispatch(initialize.to_string().as_bytes(), &peer, &mut Vec::new());
    let echo = |id: i64| {
        let params = json!({ "name": "echo", "arguments": { "text": "a" } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let batch = json!([echo(1), echo(2), echo(3), echo(4)]);
    let _ = server.dispatch(batch.to_string().as_bytes(), &peer, &mut Vec::new());
    let expected = ["success", "success", "rate_limited", "rate_limited"];
    assert_eq!(book.outcomes(), expected);
}

#[tokio::test]
async fn a_dry_run_passes_every_gate() {
    let book = Book::default();
    let limited = server().rate_limit_of("echo", mcp_runtime::Rate::per_hour(1));
    let (client, log) = somebody(book.kept(limited), Revision::NEWEST, &[]).await;
    let echo = json!({ "text": "a" });
    assert!(client.dry_run("purge", json!({})).await.is_err());
    assert!(client.dry_run("no such tool", json!({})).await.is_err());
    assert!(client.dry_run("echo", echo.clone()).await.is_ok());
    assert!(client.dry_run("echo", echo.clone()).await.is_err());
    assert!(call(&client, "echo", echo).await.is_err());
    let expected = [
        "forbidden",
        "unknown",
        "dry_run",
        "rate_limited",
        "rate_limited",
    ];
    assert_eq!(book.outcomes(), expected);
    log.legal();
}
