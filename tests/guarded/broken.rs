//! Connections that break, and bodies that fail, all at once.

use std::net::SocketAddr;
use std::sync::Arc;

use mcp_runtime::auth::{Principal, StaticTokens};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Dispatched, Peer, Server};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http::serve;
use crate::line::Line;
use crate::server::{Book, call, server, somebody};
use crate::tools::REPORT;

fn host(book: &Book) -> SocketAddr {
    let alice = Principal::new("alice").with_scopes(["admin"]);
    let tokens = StaticTokens::new().token("alices", alice);
    serve(book.kept(Server::new("tests", "1.0.0").authenticate(tokens)))
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

/// Every byte of a call.
fn bytes(tool: &str, arguments: &Value) -> Vec<u8> {
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

/// Waits for so many records, and gives how the calls ended.
fn outcomes(book: &Book, count: usize) -> Vec<&'static str> {
    while book.records().len() < count {
        std::thread::yield_now();
    }
    book.outcomes()
}

#[test]
fn a_connection_may_break_at_every_byte_of_a_call() {
    let book = Book::default();
    let address = host(&book);
    let call = bytes("echo", &json!({ "text": "a" }));
    for end in 0..call.len() {
        let mut line = Line::connect(address);
        line.write(&call[..end]);
    }
    let mut line = Line::connect(address);
    line.write(&call);
    let (head, body) = line.reply();
    assert_eq!(head.status, 200, "{body}");
    // Only what arrived whole is a call.
    assert_eq!(book.outcomes(), ["success"]);
}

#[test]
fn who_leaves_in_the_middle_of_a_stream_is_written_down() {
    let book = Book::default();
    let address = host(&book);
    for calls in 1..4 {
        let mut line = Line::connect(address);
        line.write(bytes("report", &json!({})));
        assert!(line.head().is_stream());
        assert!(line.event().unwrap().data.unwrap().contains("progress"));
        drop(line);
        assert_eq!(outcomes(&book, calls), vec!["cancelled"; calls]);
    }
    REPORT.notify_one();
    let mut line = Line::connect(address);
    line.write(bytes("report", &json!({})));
    assert!(line.head().is_stream());
    assert!(line.event().unwrap().data.unwrap().contains("progress"));
    assert!(line.event().unwrap().data.unwrap().contains("done"));
    assert_eq!(line.event(), None);
    assert_eq!(outcomes(&book, 4).last(), Some(&"success"));
}

/// Bodies that fail in every way, and how each is written down.
fn faulty() -> Vec<(&'static str, Value, &'static str)> {
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
async fn no_fault_keeps_what_it_held() {
    let book = Book::default();
    // One call at a time: what is not given back is missed by the next.
    let narrow = book.kept(server().max_calls(1).max_calls_per_client(1));
    let (client, log) = somebody(narrow, Revision::NEWEST, &[]).await;
    let mut expected = Vec::new();
    for (tool, arguments, outcome) in faulty() {
        let _ = call(&client, tool, arguments).await;
        let answer = call(&client, "echo", json!({ "text": "a" })).await;
        assert!(answer.is_ok(), "after {tool}: {answer:?}");
        expected.extend([outcome, "success"]);
    }
    log.legal();
    assert_eq!(book.outcomes(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_call_of_a_storm_is_written_down_once() {
    let book = Book::default();
    let server = book.kept(server()).build().unwrap();
    let peer = Peer::new().with_principal(Arc::new(Principal::new("alice")));
    let mut running = JoinSet::new();
    let mut sent = 0;
    for round in 0..20 {
        for (tool, arguments, _) in faulty().into_iter().filter(|(tool, ..)| *tool != "flood") {
            let mut message = message(tool, &arguments);
            message["id"] = json!(sent);
            sent += 1;
            let mut reply = Vec::new();
            let dispatched = server.dispatch(message.to_string().as_bytes(), &peer, &mut reply);
            match (dispatched, round % 4) {
                (Dispatched::Pending(pending), 0) => drop(pending),
                (Dispatched::Pending(pending), 1) => {
                    let cancel = json!({
                        "jsonrpc": "2.0", "method": "notifications/cancelled",
                        "params": { "requestId": sent - 1 },
                    });
                    let cancel = cancel.to_string();
                    let silent = server.dispatch(cancel.as_bytes(), &peer, &mut Vec::new());
                    assert!(matches!(silent, Dispatched::Silent));
                    running.spawn(async move { assert!(pending.run().await.is_none()) });
                }
                (Dispatched::Pending(pending), 2) => {
                    let running = tokio::spawn(pending.run());
                    running.abort();
                }
                (Dispatched::Pending(pending), _) => {
                    running.spawn(async move { assert!(pending.run().await.is_some()) });
                }
                (Dispatched::Replied(_), _) => assert!(!reply.is_empty()),
                (Dispatched::Silent, _) => panic!("silent"),
            }
        }
    }
    while let Some(ended) = running.join_next().await {
        assert!(ended.is_ok() || ended.unwrap_err().is_cancelled());
    }
    while book.records().len() < sent || peer.calls_in_flight() > 0 {
        tokio::task::yield_now().await;
    }
    let mut ids: Vec<_> = book
        .records()
        .iter()
        .map(|it| format!("{:?}", it.request_id))
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), book.records().len()), (sent, sent));
}
