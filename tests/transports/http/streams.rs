//! JSON or stream responses, and the effect of lost connections.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::{Gate, gated, start_server_with};
use crate::tools::DROPPED;
use support::http_client::HttpClient;
use support::http_connection::{SseEvent, TIMEOUT};
use support::http_server::{HttpServer, RUNTIME};

pub(crate) const WITH_ELICITATION: [Revision; 2] = [Revision::V2025_06_18, Revision::V2025_11_25];

pub(crate) fn server() -> (Arc<Gate>, HttpServer) {
    let (gate, server) = gated();
    (gate, HttpServer::start(server))
}

/// Waits for a signal of a tool.
pub(crate) fn wait_for(notified: &tokio::sync::Notify) {
    let waited = async { tokio::time::timeout(TIMEOUT, notified.notified()).await };
    RUNTIME.block_on(waited).unwrap();
}

fn wait_until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Calls `ask`; returns the events before the elicitation request, its event, and the request.
pub(crate) fn elicit(client: &mut HttpClient) -> (Vec<SseEvent>, SseEvent, Value) {
    let call = client.new_call("ask", json!({}));
    client.send(&call, &[]);
    let head = client.connection.read_head();
    assert_eq!(head.status, 200);
    assert!(head.is_stream());
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    assert_eq!(head.header("cache-control"), Some("no-cache, no-transform"));
    let mut before = Vec::new();
    loop {
        let event = client.connection.next_event().unwrap();
        let data = event.data.clone().unwrap();
        if data.is_empty() {
            before.push(event);
            continue;
        }
        let request = client.check(&data);
        assert_eq!(request["method"], "elicitation/create");
        return (before, event, request);
    }
}

/// Accepts an elicitation request.
pub(crate) fn answer(client: &mut HttpClient, request: &Value) {
    let content = json!({ "action": "accept", "content": { "name": "Ada" } });
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": content });
    assert_eq!(client.post(&answer, &[]).0.status, 202);
}

pub(crate) fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn server_request_turns_the_response_into_a_stream() {
    for revision in WITH_ELICITATION {
        let (_, server) = server();
        let mut client = HttpClient::initialized(&server, revision);
        let (before, event, request) = elicit(&mut client);
        assert_eq!(event.name.as_deref(), Some("message"));
        if revision == Revision::V2025_11_25 {
            let [primed] = before.as_slice() else {
                panic!("{before:?}")
            };
            assert_ne!(primed.id, event.id);
            assert!(primed.id.is_some() && primed.retry == Some(1000));
        } else {
            assert!(before.is_empty(), "{before:?}");
        }
        let stream = client.reconnect(&server);
        answer(&mut client, &request);
        client.connection = stream;
        let (last, result) = client.next_message().unwrap();
        assert_ne!(last.id, event.id);
        assert_eq!(text(&result), "Ada");
        assert_eq!(client.next_message(), None);
    }
}

#[test]
fn lost_connection_does_not_cancel_legacy_calls() {
    let (gate, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let call = client.new_call("wait", json!({}));
    client.send(&call, &[]);
    wait_for(&gate.reached);
    client.reconnect(&server).close();
    // Long enough for the server to notice.
    std::thread::sleep(Duration::from_millis(100));
    gate.open.notify_one();
    wait_for(&gate.passed);
}

#[test]
fn lost_connection_cancels_stateless_calls() {
    let (_, server) = server();
    let before = DROPPED.load(Ordering::SeqCst);
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let call = client.new_call("forever", json!({}));
    client.send(&call, &[]);
    std::thread::sleep(Duration::from_millis(50));
    client.connection.close();
    wait_until(|| DROPPED.load(Ordering::SeqCst) > before);
}

#[test]
fn lost_stream_cancels_stateless_calls() {
    let options = HttpOptions::new().keep_alive(Duration::from_millis(20));
    let server = HttpServer::start(gated().1.http(options));
    let before = DROPPED.load(Ordering::SeqCst);
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let call = client.new_call("forever", json!({}));
    client.send(&call, &[]);
    assert!(client.connection.read_head().is_stream());
    assert_eq!(client.connection.next_block(), Some(SseEvent::default()));
    client.connection.close();
    wait_until(|| DROPPED.load(Ordering::SeqCst) > before);
}

#[test]
fn cancelled_call_is_202() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let call = client.new_call("forever", json!({}));
    client.send(&call, &[]);
    let waiting = client.reconnect(&server);
    let params = json!({ "requestId": call["id"] });
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params,
    });
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(client.post(&cancelled, &[]).0.status, 202);
    client.connection = waiting;
    let (head, body) = client.connection.read_response();
    assert_eq!((head.status, body.as_str()), (202, ""));
}

#[test]
fn idle_stream_gets_keep_alive_comments() {
    let options = HttpOptions::new().keep_alive(Duration::from_millis(20));
    let (gate, server) = gated();
    let server = HttpServer::start(server.http(options));
    for revision in Revision::ALL {
        let mut client = HttpClient::initialized(&server, revision);
        let call = client.new_call("stay", json!({}));
        client.send(&call, &[]);
        assert!(client.connection.read_head().is_stream());
        while client.connection.next_block().unwrap().data.is_some() {}
        gate.open.notify_one();
        let data = loop {
            match client.connection.next_block().unwrap().data {
                Some(data) if !data.is_empty() => break data,
                _ => {}
            }
        };
        assert_eq!(text(&client.check(&data)), "stayed");
        assert_eq!(client.connection.next_event(), None);
        if revision.is_legacy() {
            client.open_stream(&[]);
            let mut blocks = (0..3).map(|_| client.connection.next_block().unwrap());
            assert!(blocks.any(|block| block == SseEvent::default()));
        }
    }
}

#[test]
fn accept_header_selects_the_response_type() {
    let (_, server) = server();
    for revision in WITH_ELICITATION {
        let mut client = HttpClient::initialized(&server, revision);
        let call = client.new_call("ask", json!({}));
        let (head, answer) = client.post(&call, &[("Accept", "application/json")]);
        assert_eq!(head.status, 200);
        assert_eq!(answer.unwrap()["result"]["isError"], true);
    }
    for revision in Revision::ALL {
        let mut client = HttpClient::initialized(&server, revision);
        for tool in ["nothing", "sleep"] {
            let call = client.new_call(tool, json!({ "millis": 1 }));
            client.send(&call, &[("Accept", "text/event-stream")]);
            assert!(
                client.connection.read_head().is_stream(),
                "{revision:?} {tool}"
            );
            while let Some(event) = client.connection.next_event() {
                let data = event.data.unwrap();
                if !data.is_empty() {
                    assert_eq!(client.check(&data)["id"], call["id"]);
                }
            }
        }
    }
}

#[test]
fn response_may_exceed_the_event_buffer() {
    let server = start_server_with(HttpOptions::new().event_buffer(1000));
    for revision in Revision::ALL {
        for (tool, accept) in [
            ("report_long", support::http_client::ACCEPT_BOTH),
            ("long", "text/event-stream"),
        ] {
            let mut client = HttpClient::initialized(&server, revision);
            let mut call = client.new_call(tool, json!({ "bytes": 5000 }));
            call["params"]["_meta"]["progressToken"] = "t".into();
            client.send(&call, &[("Accept", accept)]);
            assert!(client.connection.read_head().is_stream());
            let (mut first, mut last) = (None, None);
            while let Some(event) = client.connection.next_event() {
                first = first.or(event.id);
                last = event.data;
            }
            let answer = client.check(&last.unwrap());
            assert_eq!(text(&answer).len(), 5000, "{revision:?} {tool}");
            if revision == Revision::V2025_11_25 {
                client.open_stream(&[("Last-Event-ID", &first.unwrap())]);
                let mut again = None;
                while let Some(event) = client.connection.next_event() {
                    again = event.data;
                }
                assert!(again.unwrap().len() > 5000);
            }
        }
    }
}

#[test]
fn deleting_a_session_ends_its_streams_and_calls() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_11_25);
    let _ = elicit(&mut client);
    let mut call_stream = client.reconnect(&server);
    client.open_stream(&[]);
    let mut server_stream = client.reconnect(&server);
    let session = client.session_id.clone().unwrap();
    client
        .connection
        .send_request("DELETE", &[("Mcp-Session-Id", &session)], None);
    assert_eq!(client.connection.read_head().status, 204);
    assert_eq!(call_stream.next_event(), None);
    while let Some(event) = server_stream.next_event() {
        assert_eq!(event.data.as_deref(), Some(""));
    }
}

#[test]
fn deleting_a_session_answers_its_calls() {
    let (_, server) = server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let call = client.new_call("forever", json!({}));
    client.send(&call, &[]);
    let mut waiting = client.reconnect(&server);
    std::thread::sleep(Duration::from_millis(50));
    let session = client.session_id.clone().unwrap();
    client
        .connection
        .send_request("DELETE", &[("Mcp-Session-Id", &session)], None);
    assert_eq!(client.connection.read_head().status, 204);
    let (head, body) = waiting.read_response();
    assert_eq!(head.status, 404);
    let answer = client.check(&body);
    assert_eq!(answer["id"], call["id"]);
    assert!(answer["error"]["code"].is_number());
}
