//! Whatever fails, every request is answered, or silent for a reason.

use std::net::SocketAddr;
use std::sync::Arc;

use mcp_runtime::audit::{AuditError, AuditRecord};
use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Channel, Dispatched, Peer, Server, ToolBody, ToolCall};
use serde_json::json;

use crate::server::{Book, call, said, server, somebody};

/// Whether a server with that validator lets a token in.
async fn lets_in(server: Server, token: Option<&str>) -> Result<bool, String> {
    let book = Book::default();
    let server = book.kept(server).build().unwrap();
    let known = server.authenticate(token, None, Channel::Http).await;
    let refused = known.is_err() && token.is_some();
    assert_eq!(
        book.outcomes(),
        if refused { vec!["bad_token"] } else { vec![] }
    );
    known
        .map(|principal| principal.is_some())
        .map_err(|challenge| challenge.to_string())
}

#[tokio::test]
async fn a_validator_that_fails_lets_nobody_in() {
    let invalid = || Err("Bearer error=\"invalid_token\"".to_owned());
    let panics = Server::new("tests", "1.0.0")
        .authenticate(|_: String, _: Option<SocketAddr>| async { panic!("planted") });
    assert_eq!(lets_in(panics, Some("a")).await, invalid());
    let at_once = |_: String, _: Option<SocketAddr>| -> std::future::Ready<Option<Principal>> {
        panic!("planted")
    };
    let panics = Server::new("tests", "1.0.0").authenticate(at_once);
    assert_eq!(lets_in(panics, Some("a")).await, invalid());
    assert_eq!(lets_in(server(), Some("a")).await, invalid());
    assert_eq!(lets_in(server(), None).await, Err("Bearer".to_owned()));
    let open = Server::new("tests", "1.0.0").allow_local();
    assert_eq!(lets_in(open, Some("a")).await, Ok(false));
}

#[tokio::test(start_paused = true)]
async fn a_validator_that_hangs_lets_nobody_in() {
    let hangs = Server::new("tests", "1.0.0")
        .authenticate(|_: String, _: Option<SocketAddr>| std::future::pending());
    assert!(lets_in(hangs, Some("a")).await.is_err());
}

#[tokio::test]
async fn what_panics_around_a_body_is_one_failed_call() {
    let book = Book::default();
    let authorizer = |access: &Access<'_>| match access.name {
        "purge" => panic!("planted"),
        _ => Decision::Allow,
    };
    let layer = |call: ToolCall, body: ToolBody| async move {
        assert_ne!(call.name, "swallow", "planted");
        body.run().await
    };
    let fragile = book.kept(server().authorizer(authorizer).layer(layer));
    let fragile = fragile.audit(|_: &AuditRecord| -> Result<(), AuditError> { panic!("planted") });
    let (client, log) = somebody(fragile, Revision::NEWEST, &["admin"]).await;
    let error = call(&client, "purge", json!({})).await.unwrap_err();
    assert_eq!(error["message"], "unknown tool `purge`");
    let (failed, text) = said(&client, "swallow", json!({ "value": 1 })).await;
    assert!(failed && !text.contains("planted"), "{text}");
    assert_eq!(said(&client, "echo", json!({ "text": "a" })).await.1, "a");
    let replies = format!("{:?}", log.legal());
    assert!(!replies.contains("planted"));
    assert_eq!(book.outcomes(), ["denied", "panic", "success"]);
}

#[tokio::test]
async fn a_call_that_is_dropped_is_written_down() {
    let book = Book::default();
    let server = book.kept(server()).build().unwrap();
    let peer = Peer::new().with_principal(Arc::new(Principal::new("alice")));
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
        let dispatched = server.dispatch(call.to_string().as_bytes(), &peer, &mut reply);
        assert!(matches!(dispatched, Dispatched::Pending(_)));
        drop(dispatched);
    }
    assert_eq!(book.outcomes(), ["cancelled", "cancelled"]);
    assert_eq!(peer.calls_in_flight(), 0);
}
