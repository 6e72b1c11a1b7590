//! Broken connections and failing handlers, also concurrently.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use mcp_runtime::auth::{Principal, StaticTokens};
use mcp_runtime::dispatch::{Connection, DispatchOutcome};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Dispatcher, Server};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http_auth::serve;
use crate::tools::REPORT;
use support::access::{AuditLog, alice_with_scopes, call_tool, server};
use support::http_connection::HttpConnection;

fn serve_audited(audit: &AuditLog) -> SocketAddr {
    let alice = Principal::new("alice").with_scopes(["admin"]);
    let tokens = StaticTokens::new().token("alices", alice);
    serve(audit.record(Server::new("tests", "1.0.0").authenticate(tokens)))
}

fn message(tool: &str, arguments: &Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 1,
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// The HTTP request of a call.
fn http_request(tool: &str, arguments: &Value) -> Vec<u8> {
    let body = message(tool, arguments).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alices\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body.into_bytes()].concat()
}

/// Waits for `count` records and returns their outcomes.
fn outcomes(audit: &AuditLog, count: usize) -> Vec<&'static str> {
    while audit.records().len() < count {
        std::thread::yield_now();
    }
    audit.outcomes()
}

#[test]
fn connection_may_break_at_every_byte_of_a_call() {
    let audit = AuditLog::default();
    let address = serve_audited(&audit);
    let call = http_request("echo", &json!({ "text": "a" }));
    for end in 0..call.len() {
        let mut connection = HttpConnection::connect(address);
        connection.write(&call[..end]);
    }
    let mut connection = HttpConnection::connect(address);
    connection.write(&call);
    let (head, body) = connection.read_response();
    assert_eq!(head.status, 200, "{body}");
    // Only the complete request is a call.
    assert_eq!(audit.outcomes(), ["success"]);
}

#[test]
fn abandoned_stream_is_audited_as_cancelled() {
    let audit = AuditLog::default();
    let address = serve_audited(&audit);
    for calls in 1..4 {
        let mut connection = HttpConnection::connect(address);
        connection.write(http_request("report", &json!({})));
        assert!(connection.read_head().is_stream());
        assert!(
            connection
                .next_event()
                .unwrap()
                .data
                .unwrap()
                .contains("progress")
        );
        drop(connection);
        assert_eq!(outcomes(&audit, calls), vec!["cancelled"; calls]);
    }
    REPORT.notify_one();
    let mut connection = HttpConnection::connect(address);
    connection.write(http_request("report", &json!({})));
    assert!(connection.read_head().is_stream());
    assert!(
        connection
            .next_event()
            .unwrap()
            .data
            .unwrap()
            .contains("progress")
    );
    assert!(
        connection
            .next_event()
            .unwrap()
            .data
            .unwrap()
            .contains("done")
    );
    assert_eq!(connection.next_event(), None);
    assert_eq!(outcomes(&audit, 4).last(), Some(&"success"));
}

/// Calls that fail in every way, and their audited outcomes.
fn failing_calls() -> Vec<(&'static str, Value, &'static str)> {
    let login = |how: &str| json!({ "password": "12345678", "how": how });
    vec![
        ("echo", json!({ "text": "a" }), "success"),
        ("echo", json!({ "text": 7 }), "invalid"),
        ("flood", json!({ "megabytes": 100 }), "too_large"),
        ("hang", json!({}), "timed_out"),
        ("login", login("internal"), "error"),
        ("login", login("panic"), "panic"),
        ("no such tool", json!({}), "unknown"),
        ("panic", json!({ "text": "planted" }), "panic"),
        ("purge", json!({}), "forbidden"),
    ]
}

#[tokio::test]
async fn no_failure_leaks_a_permit() {
    let audit = AuditLog::default();
    // One call at a time: the next call fails if a permit leaks.
    let server = audit.record(
        server()
            .max_concurrent_calls(1)
            .max_concurrent_calls_per_client(1),
    );
    let (client, log) = alice_with_scopes(server, Revision::NEWEST, &[]).await;
    let mut expected = Vec::new();
    for (tool, arguments, outcome) in failing_calls() {
        let _ = call_tool(&client, tool, arguments).await;
        let answer = call_tool(&client, "echo", json!({ "text": "a" })).await;
        assert!(answer.is_ok(), "after {tool}: {answer:?}");
        expected.extend([outcome, "success"]);
    }
    log.assert_valid();
    assert_eq!(audit.outcomes(), expected);
}

fn cancel(server: &Dispatcher, connection: &Connection, id: usize) {
    let message = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id },
    });
    let message = message.to_string();
    let outcome = server.dispatch(message.as_bytes(), connection, &mut Vec::new());
    assert!(matches!(outcome, DispatchOutcome::Silent));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_concurrent_call_is_audited_once() {
    let audit = AuditLog::default();
    let server = audit.record(server()).build().unwrap();
    let connection = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let mut running = JoinSet::new();
    let mut sent = 0;
    for round in 0..20 {
        for (tool, arguments, _) in failing_calls()
            .into_iter()
            .filter(|(tool, ..)| *tool != "flood")
        {
            let mut message = message(tool, &arguments);
            message["id"] = json!(sent);
            sent += 1;
            let mut reply = Vec::new();
            let dispatched =
                server.dispatch(message.to_string().as_bytes(), &connection, &mut reply);
            match (dispatched, round % 4) {
                (DispatchOutcome::Pending(pending), 0) => drop(pending),
                (DispatchOutcome::Pending(pending), 1) => {
                    cancel(&server, &connection, sent - 1);
                    running.spawn(async move { assert!(pending.run().await.is_none()) });
                }
                (DispatchOutcome::Pending(pending), 2) => {
                    let running = tokio::spawn(pending.run());
                    running.abort();
                }
                (DispatchOutcome::Pending(pending), _) => {
                    running.spawn(async move { assert!(pending.run().await.is_some()) });
                }
                (DispatchOutcome::Replied(_), _) => assert!(!reply.is_empty()),
                (DispatchOutcome::Silent, _) => panic!("silent"),
            }
        }
    }
    while let Some(ended) = running.join_next().await {
        assert!(ended.is_ok() || ended.unwrap_err().is_cancelled());
    }
    while audit.records().len() < sent || connection.calls_in_flight() > 0 {
        tokio::task::yield_now().await;
    }
    let records = audit.records();
    let ids: BTreeSet<_> = records
        .iter()
        .map(|it| format!("{:?}", it.request_id))
        .collect();
    assert_eq!((ids.len(), records.len()), (sent, sent));
}
