//! Behaviours of the checklist that no other file covers.

use std::sync::{Arc, Mutex};

use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::Connection;
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Next, Server, ToolCall};
use serde_json::json;

use support::access::{AuditLog, alice_with_scopes, call_text, call_tool, server};

#[tokio::test]
async fn nested_request_does_not_change_the_outer_one() {
    let inner = Arc::new(server().build().unwrap());
    let contexts = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&contexts);
    let middleware = move |call: ToolCall, next: Next| {
        let (inner, seen) = (Arc::clone(&inner), Arc::clone(&seen));
        async move {
            // A panicking call of bob inside the call of alice.
            let connection = Connection::new().with_principal(Arc::new(Principal::new("bob")));
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            let params = json!({ "name": "panic", "arguments": { "text": "a" }, "_meta": meta });
            let message =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            let mut reply = Vec::new();
            let _ = inner.dispatch(message.to_string().as_bytes(), &connection, &mut reply);
            assert!(String::from_utf8(reply).unwrap().contains("isError"));
            let caller = call.context.principal().map(|it| it.id.to_string());
            seen.lock().unwrap().push((caller, call.context.revision()));
            next.run().await
        }
    };
    let audit = AuditLog::default();
    let (client, log) = alice_with_scopes(
        audit.record(server().middleware(middleware)),
        Revision::V2025_06_18,
        &[],
    )
    .await;
    assert_eq!(call_text(&client, "who", json!({})).await.1, "alice");
    let alice = (Some("alice".to_owned()), Revision::V2025_06_18);
    assert_eq!(*contexts.lock().unwrap(), [alice]);
    assert_eq!(audit.records()[0].principal.as_deref(), Some("alice"));
    log.assert_valid();
}

#[test]
fn zero_timeout_fails_startup() {
    let server = Server::new("tests", "1.0.0").allow_local();
    let error = server
        .timeout(std::time::Duration::ZERO)
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("zero"), "{error}");
}

#[test]
fn each_call_of_a_batch_counts_towards_the_rate_limit() {
    let audit = AuditLog::default();
    let server = audit.record(server().tool_rate_limit("echo", mcp_runtime::Rate::per_hour(2)));
    let server = server.build().unwrap();
    let connection = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-03-26", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    let _ = server.dispatch(
        initialize.to_string().as_bytes(),
        &connection,
        &mut Vec::new(),
    );
    let echo = |id: i64| {
        let params = json!({ "name": "echo", "arguments": { "text": "a" } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let batch = json!([echo(1), echo(2), echo(3), echo(4)]);
    let _ = server.dispatch(batch.to_string().as_bytes(), &connection, &mut Vec::new());
    let expected = ["success", "success", "rate_limited", "rate_limited"];
    assert_eq!(audit.outcomes(), expected);
}

#[tokio::test]
async fn dry_run_is_authorized_and_rate_limited() {
    let audit = AuditLog::default();
    let server = server().tool_rate_limit("echo", mcp_runtime::Rate::per_hour(1));
    let (client, log) = alice_with_scopes(audit.record(server), Revision::NEWEST, &[]).await;
    let echo = json!({ "text": "a" });
    assert!(client.dry_run("purge", json!({})).await.is_err());
    assert!(client.dry_run("no such tool", json!({})).await.is_err());
    assert!(client.dry_run("echo", echo.clone()).await.is_ok());
    assert!(client.dry_run("echo", echo.clone()).await.is_err());
    assert!(call_tool(&client, "echo", echo).await.is_err());
    let expected = [
        "forbidden",
        "unknown",
        "dry_run",
        "rate_limited",
        "rate_limited",
    ];
    assert_eq!(audit.outcomes(), expected);
    log.assert_valid();
}
