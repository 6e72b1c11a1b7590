//! HTTP with SSE, the transport of 2024-11-05.

use mcp_runtime::HttpOptions;
use serde_json::{Value, json};
use wire::{Conversation, Revision};

use crate::caller::initialize;
use crate::host::Host;
use crate::line::Line;

const STREAM: [(&str, &str); 1] = [("Accept", "text/event-stream")];

#[test]
fn it_is_off_unless_asked_for() {
    let host = Host::start();
    let mut line = host.connect();
    line.request("GET", &STREAM, None);
    assert_eq!(line.head().status, 400);
}

#[test]
fn one_stream_carries_everything() {
    let host = Host::with(HttpOptions::new().http_with_sse());
    let mut stream = host.connect();
    stream.request("GET", &STREAM, None);
    assert!(stream.head().is_stream());
    let endpoint = stream.event().unwrap();
    assert_eq!(endpoint.name.as_deref(), Some("endpoint"));
    let target = endpoint.data.unwrap();
    assert!(target.starts_with("/mcp?"), "{target}");

    let mut conversation = Conversation::new(Revision::V2024_11_05);
    let mut line = host.connect();
    let mut say = |line: &mut Line, message: &Value| {
        conversation.sent_by_client(message);
        post(line, &target, message)
    };
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let sleep = json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": "sleep", "arguments": { "millis": 1 } },
    });
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let mut expected = Vec::new();
    for message in [initialize("2024-11-05"), told, list, sleep] {
        assert_eq!(say(&mut line, &message), 202);
        if !message["id"].is_null() {
            expected.push(message["id"].clone());
        }
    }
    for id in expected {
        let event = stream.event().unwrap();
        let answer = conversation
            .sent_by_server_text(&event.data.unwrap())
            .unwrap();
        assert_eq!(answer["id"], id);
    }
    assert_eq!(host.endpoint.session_count(), 1);
    stream.hang_up();
    let deadline = std::time::Instant::now() + crate::line::PATIENCE;
    while host.endpoint.session_count() > 0 {
        assert!(std::time::Instant::now() < deadline);
    }
    let mut line = host.connect();
    assert_eq!(post(&mut line, &target, &initialize("2024-11-05")), 404);
}

fn post(line: &mut Line, target: &str, message: &Value) -> u16 {
    let body = message.to_string();
    line.write(format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    line.reply().0.status
}

#[test]
fn the_new_transport_is_served_beside_it() {
    let host = Host::with(HttpOptions::new().http_with_sse());
    let mut caller = crate::caller::Caller::ready(&host, Revision::V2025_11_25);
    assert_eq!(caller.ask("tools/list", json!({})).0, 200);
    assert!(caller.listen(&[]).is_stream());
}
