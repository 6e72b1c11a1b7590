//! Whoever cannot be asked, or does not answer, has not agreed.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::{Channel, Dispatched, Dispatcher, Outgoing, Peer};
use serde_json::{Value, json};

use crate::approve::TURN;
use crate::server::{Book, server};
use crate::tools::DELETED;

/// What becomes of the question of a session.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// There is no stream to send it on.
    NoStream,
    /// The stream breaks with it.
    Undelivered,
    /// Nobody ever answers.
    Silence,
    /// The client leaves.
    Gone,
    /// The session ends, and all that waits in it.
    Aborted,
    /// Another caller answers in the session.
    Foreign,
    /// The client answers with an error.
    Error,
    /// The client answers what is no answer.
    Malformed,
}

/// A stream that keeps what is sent, or breaks.
#[derive(Debug, Default)]
struct Line {
    broken: bool,
    sent: Mutex<Vec<Value>>,
}

impl Outgoing for Line {
    fn send(&self, message: &[u8]) -> bool {
        let message = serde_json::from_slice(message).unwrap();
        self.sent.lock().unwrap().push(message);
        !self.broken
    }
}

fn say(server: &Dispatcher, peer: &Peer, message: &Value) -> Dispatched {
    server.dispatch(message.to_string().as_bytes(), peer, &mut Vec::new())
}

/// A session that declares these modes of elicitation.
fn session(server: &Dispatcher, peer: &Peer, elicitation: &Value) {
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": { "elicitation": elicitation },
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    assert!(matches!(
        say(server, peer, &initialize),
        Dispatched::Replied(_)
    ));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(matches!(say(server, peer, &ready), Dispatched::Silent));
}

fn delete() -> Value {
    let params = json!({ "name": "delete", "arguments": { "path": "a" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// Lets it happen to the question that was sent.
fn happens(fate: Fate, server: &Dispatcher, peer: &Peer, sent: &Value) {
    let answer = |peer: &Peer, key: &str, value: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": sent["id"], key: value });
        assert!(matches!(say(server, peer, &answer), Dispatched::Silent));
    };
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    match fate {
        Fate::NoStream | Fate::Undelivered | Fate::Silence => {}
        Fate::Gone => peer.hang_up(),
        Fate::Aborted => peer.cancel_all(),
        Fate::Foreign => {
            let bob = peer.with_principal(Arc::new(Principal::new("bob")));
            answer(&bob, "result", yes);
        }
        Fate::Error => answer(peer, "error", json!({ "code": -1, "message": "no" })),
        Fate::Malformed => answer(peer, "result", json!({ "approve": true })),
    }
}

/// Calls `delete`, and gives what is written down of it.
async fn fate(fate: Fate) -> &'static str {
    let book = Book::default();
    let server = book.kept(server().patience(Duration::from_secs(60)));
    let server = server.unasked(|_: &Access<'_>| Decision::Deny("no".into()));
    let server = server.build().unwrap();
    let line = Arc::new(Line {
        broken: matches!(fate, Fate::Undelivered),
        ..Line::default()
    });
    let peer = match fate {
        Fate::NoStream => Peer::new(),
        _ => Peer::through(Channel::Memory, Arc::<Line>::clone(&line)),
    };
    let peer = peer.with_principal(Arc::new(Principal::new("alice")));
    session(&server, &peer, &json!({ "form": {} }));
    if let Dispatched::Pending(pending) = say(&server, &peer, &delete()) {
        let running = tokio::spawn(pending.run());
        while !matches!(fate, Fate::NoStream) && line.sent.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let sent = line
            .sent
            .lock()
            .unwrap()
            .first()
            .cloned()
            .unwrap_or_default();
        happens(fate, &server, &peer, &sent);
        let _ = running.await.unwrap();
    }
    assert_eq!(peer.calls_in_flight(), 0);
    book.outcomes()[0]
}

#[tokio::test(start_paused = true)]
async fn nobody_agrees_by_not_answering() {
    let _turn = TURN.lock().await;
    let before = DELETED.load(Ordering::Relaxed);
    for (how, outcome) in [
        (Fate::NoStream, "unconfirmed"),
        (Fate::Undelivered, "unconfirmed"),
        (Fate::Silence, "unconfirmed"),
        (Fate::Gone, "unconfirmed"),
        (Fate::Aborted, "cancelled"),
        (Fate::Foreign, "unconfirmed"),
        (Fate::Error, "unconfirmed"),
        (Fate::Malformed, "unconfirmed"),
    ] {
        assert_eq!(fate(how).await, outcome, "{how:?}");
    }
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn who_can_only_open_pages_is_not_asked_with_a_form() {
    let _turn = TURN.lock().await;
    let before = DELETED.load(Ordering::Relaxed);
    let book = Book::default();
    let server = book.kept(server()).build().unwrap();
    let line = Arc::new(Line::default());
    let peer = Peer::through(Channel::Memory, Arc::<Line>::clone(&line));
    session(&server, &peer, &json!({ "url": {} }));
    assert!(matches!(
        say(&server, &peer, &delete()),
        Dispatched::Replied(_)
    ));
    assert!(line.sent.lock().unwrap().is_empty());
    assert_eq!(book.outcomes(), ["unconfirmed"]);
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}
