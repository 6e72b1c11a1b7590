//! Tokens over HTTP: 401, 403, 429 and what their headers say.

use std::net::SocketAddr;

use mcp_runtime::auth::{Principal, ResourceMetadata, StaticTokens};
use mcp_runtime::{HttpEndpoint, HttpListener, HttpOptions, Rate, Server};
use serde_json::{Value, json};

use crate::line::{Head, Line};
use crate::server::{Book, RUNTIME};

const METADATA: &str = "https://example.com/.well-known/oauth-protected-resource/mcp";

/// A server that knows two callers, and where it listens.
fn host(book: &Book) -> SocketAddr {
    let alice = Principal::new("alice").with_scopes(["notes:read"]);
    let tokens = StaticTokens::new()
        .token("alices", alice)
        .token("bobs", Principal::new("bob"));
    let metadata = ResourceMetadata::new("https://example.com/mcp", ["https://as.example.com"]);
    let server = Server::new("tests", "1.0.0")
        .authenticate(tokens)
        .resource_metadata(metadata.unwrap())
        .rate_limit_of("swallow", Rate::per_hour(1));
    serve(book.kept(server))
}

/// Serves from now on, and gives where.
pub(crate) fn serve(server: Server) -> SocketAddr {
    serve_endpoint(server.http_endpoint().unwrap())
}

/// The same for what more than sockets is to be had of.
pub(crate) fn serve_endpoint(endpoint: HttpEndpoint) -> SocketAddr {
    let listener = RUNTIME.block_on(HttpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    RUNTIME.spawn(endpoint.serve(listener, std::future::pending()));
    address
}

pub(crate) fn post(line: &mut Line, message: &Value, more: &[(&str, &str)]) -> (Head, Value) {
    send(line, message, more);
    let (head, body) = line.reply();
    (head, serde_json::from_str(&body).unwrap_or_default())
}

fn send(line: &mut Line, message: &Value, more: &[(&str, &str)]) {
    let name = message["params"]["name"].as_str().unwrap_or_default();
    let method = message["method"].as_str().unwrap();
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    if message["params"]["_meta"].is_object() {
        headers.push(("MCP-Protocol-Version", "2026-07-28"));
        headers.push(("Mcp-Method", method));
    }
    if !name.is_empty() {
        headers.push(("Mcp-Name", name));
    }
    headers.extend(more);
    line.request("POST", &headers, Some(&message.to_string()));
}

pub(crate) fn calling(tool: &str, arguments: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": tool, "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    })
}

/// The status and the challenge of a call with that header.
fn challenged(token: Option<&str>, tool: &str) -> (u16, Option<String>) {
    let mut line = Line::connect(host(&Book::default()));
    let header = token.map(|token| ("Authorization", token));
    let headers: Vec<_> = header.into_iter().collect();
    let (head, _) = post(&mut line, &calling(tool, &json!({})), &headers);
    (
        head.status,
        head.header("www-authenticate").map(str::to_owned),
    )
}

#[test]
fn a_request_without_a_good_token_is_challenged() {
    let no_token = format!("Bearer resource_metadata=\"{METADATA}\"");
    let bad = format!("Bearer error=\"invalid_token\", resource_metadata=\"{METADATA}\"");
    assert_eq!(challenged(None, "who"), (401, Some(no_token.clone())));
    assert_eq!(challenged(Some("Basic YTpi"), "who"), (401, Some(no_token)));
    assert_eq!(challenged(Some("Bearer carols"), "who"), (401, Some(bad)));
    assert_eq!(challenged(Some("Bearer alices"), "who"), (200, None));
}

#[test]
fn a_call_beyond_the_scopes_is_told_which_are_needed() {
    let needed = format!(
        "Bearer error=\"insufficient_scope\", scope=\"notes:read notes:write\", \
         resource_metadata=\"{METADATA}\""
    );
    assert_eq!(
        challenged(Some("Bearer alices"), "write_note"),
        (403, Some(needed))
    );
}

#[test]
fn calls_beyond_the_rate_are_told_when_to_come_back() {
    let book = Book::default();
    let mut line = Line::connect(host(&book));
    let call = calling("swallow", &json!({ "value": 1 }));
    for (token, status) in [
        ("alices", 200),
        ("alices", 429),
        ("bobs", 200),
        ("bobs", 429),
    ] {
        let token = format!("Bearer {token}");
        let (head, answer) = post(&mut line, &call, &[("Authorization", &token)]);
        assert_eq!(head.status, status);
        if status == 429 {
            let wait: u64 = head.header("retry-after").unwrap().parse().unwrap();
            assert!((3500..=3600).contains(&wait));
            assert_eq!(answer["error"]["data"]["retryAfter"], wait);
        }
    }
    let records = book.records();
    let callers = records
        .iter()
        .map(|record| record.principal.as_deref().unwrap());
    assert_eq!(
        callers.collect::<Vec<_>>(),
        ["alice", "alice", "bob", "bob"]
    );
}

#[test]
fn strangers_learn_nothing_of_what_is_asked() {
    let book = Book::default();
    let mut line = Line::connect(host(&book));
    let headers = [
        ("Content-Type", "text/plain"),
        ("Authorization", "Bearer planted"),
    ];
    line.request("POST", &headers, Some("{ no JSON at all"));
    let (head, body) = line.reply();
    assert_eq!(head.status, 401);
    assert!(!body.contains("planted"), "{body}");
    for method in ["GET", "DELETE"] {
        let mut line = Line::connect(host(&book));
        line.request(method, &[("Accept", "text/event-stream")], None);
        assert_eq!(line.reply().0.status, 401, "{method}");
    }
    assert_eq!(book.outcomes(), ["bad_token"]);
}

#[test]
fn the_document_of_the_resource_needs_no_token() {
    let address = host(&Book::default());
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
    ] {
        let mut line = Line::connect(address);
        line.write(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        let (head, body) = line.reply();
        assert_eq!(head.status, 200);
        let document: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(document["resource"], "https://example.com/mcp");
    }
    let mut line = Line::connect(address);
    line.write("GET /mcp?access_token=alices HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(line.reply().0.status, 401);
}

#[test]
fn a_session_is_ended_and_used_by_its_owner_alone() {
    let address = host(&Book::default());
    let mut line = Line::connect(address);
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    let (head, _) = post(
        &mut line,
        &initialize,
        &[("Authorization", "Bearer alices")],
    );
    let session = head.header("mcp-session-id").unwrap().to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let used = |token: &str, method: &str| {
        let token = format!("Bearer {token}");
        let headers = [
            ("Authorization", token.as_str()),
            ("Mcp-Session-Id", session.as_str()),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let mut line = Line::connect(address);
        match method {
            "POST" => post(&mut line, &list, &headers).0.status,
            method => {
                line.request(method, &headers, None);
                line.reply().0.status
            }
        }
    };
    assert_eq!(used("bobs", "POST"), 403);
    assert_eq!(used("bobs", "DELETE"), 403);
    assert_eq!(used("alices", "POST"), 200);
    assert_eq!(used("alices", "DELETE"), 204);
    assert_eq!(used("alices", "POST"), 404);
}

#[test]
fn nobody_else_has_anything_written_into_the_stream_of_http_with_sse() {
    let tokens = StaticTokens::new()
        .token("alices", Principal::new("alice"))
        .token("bobs", Principal::new("bob"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let address = serve(server.http(HttpOptions::new().http_with_sse()));
    let (alice, bob) = ("Bearer alices", "Bearer bobs");
    let mut stream = Line::connect(address);
    let headers = [("Authorization", alice), ("Accept", "text/event-stream")];
    stream.request("GET", &headers, None);
    assert!(stream.head().is_stream());
    let target = stream.event().unwrap().data.unwrap();
    let said = |token: &str, body: &str| {
        let mut line = Line::connect(address);
        line.write(format!(
            "POST {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        line.reply()
    };
    let ping = |id: u8| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string();
    for foreign in [ping(1), "{}".to_owned(), "no JSON".to_owned()] {
        let (head, body) = said(bob, &foreign);
        assert_eq!(head.status, 403, "{foreign}");
        assert!(body.contains("belongs to another caller"), "{body}");
    }
    assert_eq!(said(alice, &ping(2)).0.status, 202);
    let answer = stream.event().unwrap().data.unwrap();
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
}

#[test]
fn calls_of_one_caller_are_counted_together_on_all_its_connections() {
    let tokens = StaticTokens::new()
        .token("alices", Principal::new("alice"))
        .token("bobs", Principal::new("bob"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let address = serve(server.max_calls_per_client(1));
    let mut line = Line::connect(address);
    let mut echo = |token: &str| {
        let call = calling("echo", &json!({ "text": "a" }));
        post(&mut line, &call, &[("Authorization", token)]).0.status
    };
    let mut waiting = Line::connect(address);
    let alice = [("Authorization", "Bearer alices")];
    send(&mut waiting, &calling("hasty", &json!({})), &alice);
    assert!((0..10_000).any(|_| echo("Bearer alices") == 429));
    assert_eq!(echo("Bearer bobs"), 200);
    drop(waiting);
    assert!((0..10_000).any(|_| echo("Bearer alices") == 200));
}
