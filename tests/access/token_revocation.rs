//! Revoking a token ends its streams, until the client has a valid token again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::auth::Principal;
use mcp_runtime::prelude::*;
use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::http_auth::{post, serve, serve_endpoint};
use support::http_connection::{HttpConnection, SseEvent};

const TOKEN: (&str, &str) = ("Authorization", "Bearer alices");

/// The state of the only token, and how often it was validated.
#[derive(Default)]
struct Token {
    state: AtomicU8,
    validations: AtomicUsize,
}

const OF_ALICE: u8 = 0;
const REVOKED: u8 = 1;
const OF_BOB: u8 = 2;

/// Lets one call of `unhurried` end.
static DONE: Notify = Notify::const_new();

/// Reports progress, then waits for the test.
#[tool]
async fn unhurried(ctx: &Context) -> &'static str {
    ctx.progress(1.0, None);
    DONE.notified().await;
    "done"
}

fn serve_with_token(token: &Arc<Token>) -> SocketAddr {
    serve(server(token))
}

fn server(token: &Arc<Token>) -> Server {
    let token = Arc::clone(token);
    let validator = move |_: String, _| {
        token.validations.fetch_add(1, Ordering::SeqCst);
        let name = match token.state.load(Ordering::SeqCst) {
            OF_ALICE => Some("alice"),
            OF_BOB => Some("bob"),
            _ => None,
        };
        std::future::ready(name.map(Principal::new))
    };
    let interval = Duration::from_millis(5);
    let options = HttpOptions::new()
        .token_recheck_interval(interval)
        .keep_alive(interval);
    Server::new("tests", "1.0.0")
        .authenticate(validator)
        .http(options)
}

/// Opens a listen stream, or the server stream of a session.
fn open_listen_stream(address: SocketAddr, modern: bool) -> HttpConnection {
    let mut connection = HttpConnection::connect(address);
    if modern {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta });
        let listen = json!({
            "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params,
        });
        let headers = [
            TOKEN,
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "subscriptions/listen"),
        ];
        connection.send_request("POST", &headers, Some(&listen.to_string()));
    } else {
        return open_stream(address, &session(address), &[]);
    }
    assert!(connection.read_head().is_stream());
    connection
}

/// Initializes a session.
fn session(address: SocketAddr) -> String {
    let mut connection = HttpConnection::connect(address);
    let (head, _) = post(&mut connection, &initialize(), &[TOKEN]);
    let session = head.header("mcp-session-id").unwrap().to_owned();
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (head, _) = post(
        &mut connection,
        &initialized,
        &[TOKEN, ("Mcp-Session-Id", &session)],
    );
    assert_eq!(head.status, 202);
    session
}

/// Opens the server stream of a session, or resumes a stream.
fn open_stream(address: SocketAddr, session: &str, more: &[(&str, &str)]) -> HttpConnection {
    let mut headers = vec![
        TOKEN,
        ("Accept", "text/event-stream"),
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", "2025-06-18"),
    ];
    headers.extend(more);
    let mut connection = HttpConnection::connect(address);
    connection.send_request("GET", &headers, None);
    assert!(connection.read_head().is_stream());
    connection
}

fn initialize() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    })
}

#[test]
fn stream_ends_when_its_token_is_revoked_or_changes_owner() {
    for modern in [false, true] {
        for state in [REVOKED, OF_BOB] {
            let token = Arc::new(Token::default());
            let mut connection = open_listen_stream(serve_with_token(&token), modern);
            // The token is validated repeatedly while the stream is open.
            let before = token.validations.load(Ordering::SeqCst);
            while token.validations.load(Ordering::SeqCst) < before + 3 {
                assert!(connection.next_block().is_some());
            }
            token.state.store(state, Ordering::SeqCst);
            while let Some(event) = connection.next_block() {
                let has_message = event.data.is_some() && event != SseEvent::default();
                assert!(!has_message || modern, "{event:?}");
            }
        }
    }
}

#[test]
fn client_with_a_valid_token_resumes_missed_events() {
    let token = Arc::new(Token::default());
    let endpoint = server(&token).http_endpoint().unwrap();
    let address = serve_endpoint(endpoint.clone());
    let handle = endpoint.dispatcher().handle();
    let session = session(address);
    for _ in 0..2 {
        let mut connection = open_stream(address, &session, &[]);
        token.state.store(REVOKED, Ordering::SeqCst);
        assert_eq!(connection.next_event(), None);
        token.state.store(OF_ALICE, Ordering::SeqCst);
        assert!(handle.disable_tool("share"));
        let mut connection = open_stream(address, &session, &[]);
        let is_list_change = |event: SseEvent| event.data.unwrap().contains("tools/list_changed");
        assert!(connection.next_event().is_some_and(is_list_change));
        // Later events are sent as well.
        assert!(handle.enable_tool("share"));
        assert!(connection.next_event().is_some_and(is_list_change));
    }
}

#[test]
fn client_with_a_valid_token_resumes_a_call() {
    let token = Arc::new(Token::default());
    let address = serve_with_token(&token);
    let session = session(address);
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "unhurried", "_meta": { "progressToken": 1 } },
    });
    for done_before in [false, true] {
        let mut connection = HttpConnection::connect(address);
        let headers = [
            TOKEN,
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Mcp-Session-Id", &session),
        ];
        connection.send_request("POST", &headers, Some(&call.to_string()));
        assert!(connection.read_head().is_stream());
        let last = connection.next_event().unwrap().id.unwrap();
        token.state.store(REVOKED, Ordering::SeqCst);
        assert_eq!(connection.next_event(), None);
        token.state.store(OF_ALICE, Ordering::SeqCst);
        if done_before {
            DONE.notify_one();
        }
        let mut connection = open_stream(address, &session, &[("Last-Event-ID", &last)]);
        if !done_before {
            DONE.notify_one();
        }
        let answer = connection.next_event().unwrap().data.unwrap();
        assert!(
            answer.contains(r#""id":1,"#) && answer.contains("done"),
            "{answer}"
        );
        assert_eq!(connection.next_event(), None);
    }
}

#[test]
fn token_of_an_ended_stream_is_not_rechecked() {
    let token = Arc::new(Token::default());
    let address = serve_with_token(&token);
    drop(open_listen_stream(address, false));
    let validations = || token.validations.load(Ordering::SeqCst);
    // The server notices on its next write, and then stops validating.
    let (mut before, mut quiet) = (validations(), 0);
    for _ in 0..1000 {
        std::thread::sleep(Duration::from_millis(5));
        quiet = if validations() == before {
            quiet + 1
        } else {
            0
        };
        before = validations();
        if quiet == 20 {
            return;
        }
    }
    panic!("validated {before} times");
}
