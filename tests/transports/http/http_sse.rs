//! HTTP with SSE, the transport of 2024-11-05.

use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use support::wire::{Conversation, Revision};

use crate::http::gated_tools::{start_server, start_server_with};
use support::http_client::initialize;
use support::http_connection::HttpConnection;

const STREAM: [(&str, &str); 1] = [("Accept", "text/event-stream")];

#[test]
fn http_sse_is_off_by_default() {
    let server = start_server();
    let mut connection = server.connect();
    connection.send_request("GET", &STREAM, None);
    assert_eq!(connection.read_head().status, 400);
}

#[test]
fn one_stream_carries_all_responses() {
    let server = start_server_with(HttpOptions::new().http_with_sse());
    let mut stream = server.connect();
    stream.send_request("GET", &STREAM, None);
    assert!(stream.read_head().is_stream());
    let endpoint = stream.next_event().unwrap();
    assert_eq!(endpoint.name.as_deref(), Some("endpoint"));
    let target = endpoint.data.unwrap();
    assert!(target.starts_with("/mcp?"), "{target}");

    let mut conversation = Conversation::new(Revision::V2024_11_05);
    let mut connection = server.connect();
    let mut send = |connection: &mut HttpConnection, message: &Value| {
        conversation.sent_by_client(message);
        post(connection, &target, message)
    };
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let sleep = json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": "sleep", "arguments": { "millis": 1 } },
    });
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let mut expected = Vec::new();
    for message in [initialize("2024-11-05"), initialized, list, sleep] {
        assert_eq!(send(&mut connection, &message), 202);
        if !message["id"].is_null() {
            expected.push(message["id"].clone());
        }
    }
    for id in expected {
        let event = stream.next_event().unwrap();
        let answer = conversation
            .sent_by_server_text(&event.data.unwrap())
            .unwrap();
        assert_eq!(answer["id"], id);
    }
    assert_eq!(server.endpoint.session_count(), 1);
    stream.close();
    let deadline = std::time::Instant::now() + support::http_connection::TIMEOUT;
    while server.endpoint.session_count() > 0 {
        assert!(std::time::Instant::now() < deadline);
    }
    let mut connection = server.connect();
    assert_eq!(
        post(&mut connection, &target, &initialize("2024-11-05")),
        404
    );
}

fn post(connection: &mut HttpConnection, target: &str, message: &Value) -> u16 {
    let body = message.to_string();
    connection.write(format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    connection.read_response().0.status
}

#[test]
fn streamable_http_is_served_beside_it() {
    let server = start_server_with(HttpOptions::new().http_with_sse());
    let mut client = support::http_client::HttpClient::initialized(&server, Revision::V2025_11_25);
    assert_eq!(client.request("tools/list", json!({})).0, 200);
    assert!(client.open_stream(&[]).is_stream());
}
