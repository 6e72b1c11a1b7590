//! Bearer tokens over HTTP: 401, 403, 429 and their headers.

use std::net::SocketAddr;

use mcp_runtime::auth::{Principal, ResourceMetadata, StaticTokens};
use mcp_runtime::transport::{HttpEndpoint, HttpListener, HttpOptions};
use mcp_runtime::{Rate, Server};
use serde_json::{Value, json};

use support::access::{AuditLog, RUNTIME};
use support::http_connection::{HttpConnection, ResponseHead};

const METADATA: &str = "https://example.com/.well-known/oauth-protected-resource/mcp";

/// Serves with two known tokens and returns the address.
fn serve_with_tokens(audit: &AuditLog) -> SocketAddr {
    let alice = Principal::new("alice").with_scopes(["notes:read"]);
    let tokens = StaticTokens::new()
        .token("alices", alice)
        .token("bobs", Principal::new("bob"));
    let metadata = ResourceMetadata::new("https://example.com/mcp", ["https://as.example.com"]);
    let server = Server::new("tests", "1.0.0")
        .authenticate(tokens)
        .resource_metadata(metadata.unwrap())
        .tool_rate_limit("swallow", Rate::per_hour(1));
    serve(audit.record(server))
}

/// Serves until the process ends and returns the address.
pub(crate) fn serve(server: Server) -> SocketAddr {
    serve_endpoint(server.http_endpoint().unwrap())
}

/// Serves an endpoint that the test keeps using.
pub(crate) fn serve_endpoint(endpoint: HttpEndpoint) -> SocketAddr {
    let listener = RUNTIME.block_on(HttpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    RUNTIME.spawn(endpoint.serve(listener, std::future::pending()));
    address
}

/// Posts a message and reads the response.
pub(crate) fn post(
    connection: &mut HttpConnection,
    message: &Value,
    more: &[(&str, &str)],
) -> (ResponseHead, Value) {
    send(connection, message, more);
    let (head, body) = connection.read_response();
    (head, serde_json::from_str(&body).unwrap_or_default())
}

fn send(connection: &mut HttpConnection, message: &Value, more: &[(&str, &str)]) {
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
    connection.send_request("POST", &headers, Some(&message.to_string()));
}

pub(crate) fn tool_call(tool: &str, arguments: &Value) -> Value {
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

/// The status and challenge of a call with this `Authorization` header.
fn call_challenge(token: Option<&str>, tool: &str) -> (u16, Option<String>) {
    let mut connection = HttpConnection::connect(serve_with_tokens(&AuditLog::default()));
    let header = token.map(|token| ("Authorization", token));
    let headers: Vec<_> = header.into_iter().collect();
    let (head, _) = post(&mut connection, &tool_call(tool, &json!({})), &headers);
    (
        head.status,
        head.header("www-authenticate").map(str::to_owned),
    )
}

#[test]
fn request_without_a_valid_token_is_challenged() {
    let no_token = format!("Bearer resource_metadata=\"{METADATA}\"");
    let bad = format!("Bearer error=\"invalid_token\", resource_metadata=\"{METADATA}\"");
    assert_eq!(call_challenge(None, "who"), (401, Some(no_token.clone())));
    assert_eq!(
        call_challenge(Some("Basic YTpi"), "who"),
        (401, Some(no_token))
    );
    assert_eq!(
        call_challenge(Some("Bearer carols"), "who"),
        (401, Some(bad))
    );
    assert_eq!(call_challenge(Some("Bearer alices"), "who"), (200, None));
}

#[test]
fn insufficient_scope_challenge_names_the_scopes() {
    let needed = format!(
        "Bearer error=\"insufficient_scope\", scope=\"notes:read notes:write\", \
         resource_metadata=\"{METADATA}\""
    );
    assert_eq!(
        call_challenge(Some("Bearer alices"), "write_note"),
        (403, Some(needed))
    );
}

#[test]
fn rate_limited_http_call_has_retry_after() {
    let audit = AuditLog::default();
    let mut connection = HttpConnection::connect(serve_with_tokens(&audit));
    let call = tool_call("swallow", &json!({ "value": 1 }));
    for (token, status) in [
        ("alices", 200),
        ("alices", 429),
        ("bobs", 200),
        ("bobs", 429),
    ] {
        let token = format!("Bearer {token}");
        let (head, answer) = post(&mut connection, &call, &[("Authorization", &token)]);
        assert_eq!(head.status, status);
        if status == 429 {
            let wait: u64 = head.header("retry-after").unwrap().parse().unwrap();
            assert!((3500..=3600).contains(&wait));
            assert_eq!(answer["error"]["data"]["retryAfter"], wait);
        }
    }
    let records = audit.records();
    let callers = records
        .iter()
        .map(|record| record.principal.as_deref().unwrap());
    assert_eq!(
        callers.collect::<Vec<_>>(),
        ["alice", "alice", "bob", "bob"]
    );
}

#[test]
fn unauthenticated_request_is_not_parsed() {
    let audit = AuditLog::default();
    let mut connection = HttpConnection::connect(serve_with_tokens(&audit));
    let headers = [
        ("Content-Type", "text/plain"),
        ("Authorization", "Bearer planted"),
    ];
    connection.send_request("POST", &headers, Some("{ no JSON at all"));
    let (head, body) = connection.read_response();
    assert_eq!(head.status, 401);
    assert!(!body.contains("planted"), "{body}");
    for method in ["GET", "DELETE"] {
        let mut connection = HttpConnection::connect(serve_with_tokens(&audit));
        connection.send_request(method, &[("Accept", "text/event-stream")], None);
        assert_eq!(connection.read_response().0.status, 401, "{method}");
    }
    assert_eq!(audit.outcomes(), ["bad_token"]);
}

#[test]
fn resource_metadata_needs_no_token() {
    let address = serve_with_tokens(&AuditLog::default());
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
    ] {
        let mut connection = HttpConnection::connect(address);
        connection.write(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        let (head, body) = connection.read_response();
        assert_eq!(head.status, 200);
        let document: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(document["resource"], "https://example.com/mcp");
    }
    let mut connection = HttpConnection::connect(address);
    connection.write("GET /mcp?access_token=alices HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(connection.read_response().0.status, 401);
}

#[test]
fn only_the_owner_uses_or_deletes_a_session() {
    let address = serve_with_tokens(&AuditLog::default());
    let mut connection = HttpConnection::connect(address);
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    let (head, _) = post(
        &mut connection,
        &initialize,
        &[("Authorization", "Bearer alices")],
    );
    let session = head.header("mcp-session-id").unwrap().to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let status = |token: &str, method: &str| {
        let token = format!("Bearer {token}");
        let headers = [
            ("Authorization", token.as_str()),
            ("Mcp-Session-Id", session.as_str()),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let mut connection = HttpConnection::connect(address);
        match method {
            "POST" => post(&mut connection, &list, &headers).0.status,
            method => {
                connection.send_request(method, &headers, None);
                connection.read_response().0.status
            }
        }
    };
    assert_eq!(status("bobs", "POST"), 403);
    assert_eq!(status("bobs", "DELETE"), 403);
    assert_eq!(status("alices", "POST"), 200);
    assert_eq!(status("alices", "DELETE"), 204);
    assert_eq!(status("alices", "POST"), 404);
}

#[test]
fn only_the_owner_posts_to_an_http_sse_stream() {
    let tokens = StaticTokens::new()
        .token("alices", Principal::new("alice"))
        .token("bobs", Principal::new("bob"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let address = serve(server.http(HttpOptions::new().http_with_sse()));
    let (alice, bob) = ("Bearer alices", "Bearer bobs");
    let mut stream = HttpConnection::connect(address);
    let headers = [("Authorization", alice), ("Accept", "text/event-stream")];
    stream.send_request("GET", &headers, None);
    assert!(stream.read_head().is_stream());
    let target = stream.next_event().unwrap().data.unwrap();
    let post_message = |token: &str, body: &str| {
        let mut connection = HttpConnection::connect(address);
        connection.write(format!(
            "POST {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        connection.read_response()
    };
    let ping = |id: u8| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string();
    for foreign in [ping(1), "{}".to_owned(), "no JSON".to_owned()] {
        let (head, body) = post_message(bob, &foreign);
        assert_eq!(head.status, 403, "{foreign}");
        assert!(body.contains("belongs to another caller"), "{body}");
    }
    assert_eq!(post_message(alice, &ping(2)).0.status, 202);
    let answer = stream.next_event().unwrap().data.unwrap();
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
}

#[test]
fn concurrency_limit_spans_all_connections_of_a_caller() {
    let tokens = StaticTokens::new()
        .token("alices", Principal::new("alice"))
        .token("bobs", Principal::new("bob"));
    let server = Server::new("tests", "1.0.0").authenticate(tokens);
    let address = serve(server.max_concurrent_calls_per_client(1));
    let mut connection = HttpConnection::connect(address);
    let mut echo = |token: &str| {
        let call = tool_call("echo", &json!({ "text": "a" }));
        post(&mut connection, &call, &[("Authorization", token)])
            .0
            .status
    };
    let mut waiting = HttpConnection::connect(address);
    let alice = [("Authorization", "Bearer alices")];
    send(&mut waiting, &tool_call("hasty", &json!({})), &alice);
    assert!((0..10_000).any(|_| echo("Bearer alices") == 429));
    assert_eq!(echo("Bearer bobs"), 200);
    drop(waiting);
    assert!((0..10_000).any(|_| echo("Bearer alices") == 200));
}
