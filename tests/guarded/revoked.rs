//! A token that is taken back ends the streams of who had it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::auth::Principal;
use mcp_runtime::{HttpOptions, Server};
use serde_json::{Value, json};

use crate::http::{post, serve};
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

fn host(token: &Arc<Token>) -> SocketAddr {
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
    serve(
        Server::new("tests", "1.0.0")
            .authenticate(validator)
            .http(options),
    )
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
        let (head, _) = post(&mut line, &initialize(), &[TOKEN]);
        let session = head.header("mcp-session-id").unwrap().to_owned();
        let headers = [
            TOKEN,
            ("Accept", "text/event-stream"),
            ("Mcp-Session-Id", &session),
            ("MCP-Protocol-Version", "2025-06-18"),
        ];
        line = Line::connect(address);
        line.request("GET", &headers, None);
    }
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
