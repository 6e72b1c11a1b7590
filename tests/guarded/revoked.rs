//! A token that is taken back ends the streams of who had it, until there is a good one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::prelude::*;
use mcp_runtime::{HttpOptions, Server};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::http::{post, serve, serve_endpoint};
use crate::line::{Event, Line};

const TOKEN: (&str, &str) = ("Authorization", "Bearer alices");

/// What the only token is worth, and how often that was asked.
#[derive(Default)]
struct Token {
    state: AtomicU8,
    asked: AtomicUsize,
}

const ALICES: u8 = 0;
const NOBODYS: u8 = 1;
const BOBS: u8 = 2;

/// Lets one call of `unhurried` end.
static DONE: Notify = Notify::const_new();

/// Tells that it has begun, and goes on when it is let.
#[tool]
async fn unhurried(ctx: &Context) -> &'static str {
    ctx.progress(1.0, None);
    DONE.notified().await;
    "done"
}

fn host(token: &Arc<Token>) -> SocketAddr {
    serve(server(token))
}

fn server(token: &Arc<Token>) -> Server {
    let token = Arc::clone(token);
    let validator = move |_: String, _| {
        token.asked.fetch_add(1, Ordering::SeqCst);
        let name = match token.state.load(Ordering::SeqCst) {
            ALICES => Some("alice"),
            BOBS => Some("bob"),
            _ => None,
        };
        std::future::ready(name.map(Principal::new))
    };
    let often = Duration::from_millis(5);
    let options = HttpOptions::new().recheck(often).keep_alive(often);
    Server::new("tests", "1.0.0")
        .authenticate(validator)
        .http(options)
}

/// Opens a stream for what is told without being asked.
fn listening(address: SocketAddr, modern: bool) -> Line {
    let mut line = Line::connect(address);
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
        line.request("POST", &headers, Some(&listen.to_string()));
    } else {
        return coming(address, &session(address), &[]);
    }
    assert!(line.head().is_stream());
    line
}

/// Makes a session that is ready.
fn session(address: SocketAddr) -> String {
    let mut line = Line::connect(address);
    let (head, _) = post(&mut line, &initialize(), &[TOKEN]);
    let session = head.header("mcp-session-id").unwrap().to_owned();
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (head, _) = post(&mut line, &told, &[TOKEN, ("Mcp-Session-Id", &session)]);
    assert_eq!(head.status, 202);
    session
}

/// Opens the stream of a session, or the rest of one.
fn coming(address: SocketAddr, session: &str, more: &[(&str, &str)]) -> Line {
    let mut headers = vec![
        TOKEN,
        ("Accept", "text/event-stream"),
        ("Mcp-Session-Id", session),
        ("MCP-Protocol-Version", "2025-06-18"),
    ];
    headers.extend(more);
    let mut line = Line::connect(address);
    line.request("GET", &headers, None);
    assert!(line.head().is_stream());
    line
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
fn a_stream_ends_when_its_token_is_no_longer_the_callers() {
    for modern in [false, true] {
        for state in [NOBODYS, BOBS] {
            let token = Arc::new(Token::default());
            let mut line = listening(host(&token), modern);
            // It is asked again and again, and the stream goes on.
            let asked = token.asked.load(Ordering::SeqCst);
            while token.asked.load(Ordering::SeqCst) < asked + 3 {
                assert!(line.block().is_some());
            }
            token.state.store(state, Ordering::SeqCst);
            while let Some(event) = line.block() {
                let told = event.data.is_some() && event != Event::default();
                assert!(!told || modern, "{event:?}");
            }
        }
    }
}

#[test]
fn who_comes_back_with_a_good_token_is_told_what_was_missed() {
    let token = Arc::new(Token::default());
    let endpoint = server(&token).http_endpoint().unwrap();
    let address = serve_endpoint(endpoint.clone());
    let handle = endpoint.dispatcher().handle();
    let session = session(address);
    for _ in 0..2 {
        let mut line = coming(address, &session, &[]);
        token.state.store(NOBODYS, Ordering::SeqCst);
        assert_eq!(line.event(), None);
        token.state.store(ALICES, Ordering::SeqCst);
        assert!(handle.disable_tool("share"));
        let mut line = coming(address, &session, &[]);
        let told = |event: Event| event.data.unwrap().contains("tools/list_changed");
        assert!(line.event().is_some_and(told));
        // And of what comes after it.
        assert!(handle.enable_tool("share"));
        assert!(line.event().is_some_and(told));
    }
}

#[test]
fn who_comes_back_with_a_good_token_gets_the_answer_to_a_call() {
    let token = Arc::new(Token::default());
    let address = host(&token);
    let session = session(address);
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "unhurried", "_meta": { "progressToken": 1 } },
    });
    for done_before in [false, true] {
        let mut line = Line::connect(address);
        let headers = [
            TOKEN,
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Mcp-Session-Id", &session),
        ];
        line.request("POST", &headers, Some(&call.to_string()));
        assert!(line.head().is_stream());
        let last = line.event().unwrap().id.unwrap();
        token.state.store(NOBODYS, Ordering::SeqCst);
        assert_eq!(line.event(), None);
        token.state.store(ALICES, Ordering::SeqCst);
        if done_before {
            DONE.notify_one();
        }
        let mut line = coming(address, &session, &[("Last-Event-ID", &last)]);
        if !done_before {
            DONE.notify_one();
        }
        let answer = line.event().unwrap().data.unwrap();
        assert!(
            answer.contains(r#""id":1,"#) && answer.contains("done"),
            "{answer}"
        );
        assert_eq!(line.event(), None);
    }
}

#[test]
fn nobody_is_asked_about_a_stream_that_has_ended() {
    let token = Arc::new(Token::default());
    let address = host(&token);
    drop(listening(address, false));
    let asked = || token.asked.load(Ordering::SeqCst);
    // The server notices when it next writes, and then never asks again.
    let (mut before, mut quiet) = (asked(), 0);
    for _ in 0..1000 {
        std::thread::sleep(Duration::from_millis(5));
        quiet = if asked() == before { quiet + 1 } else { 0 };
        before = asked();
        if quiet == 20 {
            return;
        }
    }
    panic!("asked {before} times");
}
