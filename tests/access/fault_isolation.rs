//! Failures of user code are isolated from other requests.

use std::net::SocketAddr;
use std::sync::Arc;

use mcp_runtime::audit::{AuditError, AuditRecord};
use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::dispatch::{Connection, DispatchOutcome, TransportKind};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Next, Server, ToolCall};
use serde_json::json;

use support::access::{AuditLog, alice_with_scopes, call_text, call_tool, server};

/// Authenticates a token: whether it has a principal, or the challenge.
async fn authenticate_token(server: Server, token: Option<&str>) -> Result<bool, String> {
    let audit = AuditLog::default();
    let server = audit.record(server).build().unwrap();
    let result = server.authenticate(token, None, TransportKind::Http).await;
    let rejected = result.is_err() && token.is_some();
    assert_eq!(
        audit.outcomes(),
        if rejected { vec!["bad_token"] } else { vec![] }
    );
    result
        .map(|principal| principal.is_some())
        .map_err(|challenge| challenge.to_string())
}

#[tokio::test]
async fn failing_validator_rejects_the_token() {
    let invalid = || Err("Bearer error=\"invalid_token\"".to_owned());
    let panics = Server::new("tests", "1.0.0")
        .authenticate(|_: String, _: Option<SocketAddr>| async { panic!("planted") });
    assert_eq!(authenticate_token(panics, Some("a")).await, invalid());
    let at_once = |_: String, _: Option<SocketAddr>| -> std::future::Ready<Option<Principal>> {
        panic!("planted")
    };
    let panics = Server::new("tests", "1.0.0").authenticate(at_once);
    assert_eq!(authenticate_token(panics, Some("a")).await, invalid());
    assert_eq!(authenticate_token(server(), Some("a")).await, invalid());
    assert_eq!(
        authenticate_token(server(), None).await,
        Err("Bearer".to_owned())
    );
    let server = Server::new("tests", "1.0.0").allow_local();
    assert_eq!(authenticate_token(server, Some("a")).await, Ok(false));
}

#[tokio::test(start_paused = true)]
async fn hanging_validator_rejects_the_token() {
    let server = Server::new("tests", "1.0.0")
        .authenticate(|_: String, _: Option<SocketAddr>| std::future::pending());
    assert!(authenticate_token(server, Some("a")).await.is_err());
}

#[tokio::test]
async fn panicking_user_code_fails_only_its_call() {
    let audit = AuditLog::default();
    let authorizer = |access: &Access<'_>| match access.name {
        "purge" => panic!("planted"),
        _ => Decision::Allow,
    };
    let middleware = |call: ToolCall, next: Next| async move {
        assert_ne!(call.name, "swallow", "planted");
        next.run().await
    };
    let server = audit.record(server().authorizer(authorizer).middleware(middleware));
    let server = server.audit(|_: &AuditRecord| -> Result<(), AuditError> { panic!("planted") });
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &["admin"]).await;
    let error = call_tool(&client, "purge", json!({})).await.unwrap_err();
    assert_eq!(error["message"], "unknown tool `purge`");
    let (failed, text) = call_text(&client, "swallow", json!({ "value": 1 })).await;
    assert!(failed && !text.contains("planted"), "{text}");
    assert_eq!(
        call_text(&client, "echo", json!({ "text": "a" })).await.1,
        "a"
    );
    let replies = format!("{:?}", log.messages());
    assert!(!replies.contains("planted"));
    assert_eq!(audit.outcomes(), ["denied", "panic", "success"]);
}

#[tokio::test]
async fn dropped_call_is_audited_as_cancelled() {
    let audit = AuditLog::default();
    let server = audit.record(server()).build().unwrap();
    let connection = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    for tool in ["hang", "block"] {
        let call = json!({
            "jsonrpc": "2.0", "id": tool, "method": "tools/call",
            "params": {
                "name": tool, "arguments": {},
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                },
            },
        });
        let mut reply = Vec::new();
        let dispatched = server.dispatch(call.to_string().as_bytes(), &connection, &mut reply);
        assert!(matches!(dispatched, DispatchOutcome::Pending(_)));
        drop(dispatched);
    }
    assert_eq!(audit.outcomes(), ["cancelled", "cancelled"]);
    assert_eq!(connection.calls_in_flight(), 0);
}
