//! A missing, late or invalid answer is not consent.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::Dispatcher;
use mcp_runtime::auth::{Access, Decision, Principal};
use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome, TransportKind};
use serde_json::{Value, json};

use crate::confirmation::TURN;
use crate::tools::DELETED;
use support::access::{AuditLog, server};

/// What happens to the confirmation request of a session.
#[derive(Clone, Copy, Debug)]
enum RequestFailure {
    /// There is no stream to send the request on.
    NoStream,
    /// The stream fails while sending.
    Undelivered,
    /// The client never answers.
    Silence,
    /// The client disconnects.
    Disconnected,
    /// The session ends and cancels its calls.
    Aborted,
    /// Another caller answers in the session.
    OtherCaller,
    /// The client answers with an error.
    Error,
    /// The client answers with an invalid result.
    Malformed,
}

/// A sink that records messages, and may report failure.
#[derive(Debug, Default)]
struct RecordingSink {
    broken: bool,
    sent: Mutex<Vec<Value>>,
}

impl ClientSink for RecordingSink {
    fn send(&self, message: &[u8]) -> bool {
        let message = serde_json::from_slice(message).unwrap();
        self.sent.lock().unwrap().push(message);
        !self.broken
    }
}

fn send(server: &Dispatcher, connection: &Connection, message: &Value) -> DispatchOutcome {
    server.dispatch(message.to_string().as_bytes(), connection, &mut Vec::new())
}

/// Initializes a session that declares these modes of elicitation.
fn initialize_session(server: &Dispatcher, connection: &Connection, elicitation: &Value) {
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": { "elicitation": elicitation },
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    assert!(matches!(
        send(server, connection, &initialize),
        DispatchOutcome::Replied(_)
    ));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(matches!(
        send(server, connection, &ready),
        DispatchOutcome::Silent
    ));
}

fn delete_call() -> Value {
    let params = json!({ "name": "delete", "arguments": { "path": "a" } });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// Lets the failure happen to the request that was sent.
fn fail_request(
    failure: RequestFailure,
    server: &Dispatcher,
    connection: &Connection,
    sent: &Value,
) {
    let answer = |connection: &Connection, key: &str, value: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": sent["id"], key: value });
        assert!(matches!(
            send(server, connection, &answer),
            DispatchOutcome::Silent
        ));
    };
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    match failure {
        RequestFailure::NoStream | RequestFailure::Undelivered | RequestFailure::Silence => {}
        RequestFailure::Disconnected => connection.close_input(),
        RequestFailure::Aborted => connection.cancel_all(),
        RequestFailure::OtherCaller => {
            let bob = connection.with_principal(Arc::new(Principal::new("bob")));
            answer(&bob, "result", yes);
        }
        RequestFailure::Error => {
            answer(connection, "error", json!({ "code": -1, "message": "no" }));
        }
        RequestFailure::Malformed => answer(connection, "result", json!({ "approve": true })),
    }
}

/// Calls `delete` and returns the audited outcome.
async fn outcome_of(failure: RequestFailure) -> &'static str {
    let audit = AuditLog::default();
    let server = audit.record(server().input_timeout(Duration::from_secs(60)));
    let server = server.consent_fallback(|_: &Access<'_>| Decision::Deny("no".into()));
    let server = server.build().unwrap();
    let sink = Arc::new(RecordingSink {
        broken: matches!(failure, RequestFailure::Undelivered),
        ..RecordingSink::default()
    });
    let connection = match failure {
        RequestFailure::NoStream => Connection::new(),
        _ => Connection::with_sink(TransportKind::Memory, Arc::<RecordingSink>::clone(&sink)),
    };
    let connection = connection.with_principal(Arc::new(Principal::new("alice")));
    initialize_session(&server, &connection, &json!({ "form": {} }));
    if let DispatchOutcome::Pending(pending) = send(&server, &connection, &delete_call()) {
        let running = tokio::spawn(pending.run());
        while !matches!(failure, RequestFailure::NoStream) && sink.sent.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        let sent = sink
            .sent
            .lock()
            .unwrap()
            .first()
            .cloned()
            .unwrap_or_default();
        fail_request(failure, &server, &connection, &sent);
        let _ = running.await.unwrap();
    }
    assert_eq!(connection.calls_in_flight(), 0);
    audit.outcomes()[0]
}

#[tokio::test(start_paused = true)]
async fn missing_or_invalid_answer_is_not_consent() {
    let _turn = TURN.lock().await;
    let before = DELETED.load(Ordering::Relaxed);
    for (failure, outcome) in [
        (RequestFailure::NoStream, "consent_unavailable"),
        (RequestFailure::Undelivered, "consent_unavailable"),
        (RequestFailure::Silence, "consent_unavailable"),
        (RequestFailure::Disconnected, "consent_unavailable"),
        (RequestFailure::Aborted, "cancelled"),
        (RequestFailure::OtherCaller, "consent_unavailable"),
        (RequestFailure::Error, "consent_unavailable"),
        (RequestFailure::Malformed, "consent_unavailable"),
    ] {
        assert_eq!(outcome_of(failure).await, outcome, "{failure:?}");
    }
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}

#[tokio::test]
async fn url_only_client_is_not_sent_a_form() {
    let _turn = TURN.lock().await;
    let before = DELETED.load(Ordering::Relaxed);
    let audit = AuditLog::default();
    let server = audit.record(server()).build().unwrap();
    let sink = Arc::new(RecordingSink::default());
    let connection =
        Connection::with_sink(TransportKind::Memory, Arc::<RecordingSink>::clone(&sink));
    initialize_session(&server, &connection, &json!({ "url": {} }));
    assert!(matches!(
        send(&server, &connection, &delete_call()),
        DispatchOutcome::Replied(_)
    ));
    assert!(sink.sent.lock().unwrap().is_empty());
    assert_eq!(audit.outcomes(), ["consent_unavailable"]);
    assert_eq!(DELETED.load(Ordering::Relaxed), before);
}
