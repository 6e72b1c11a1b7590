//! Limits on requests, connections, sizes and times.

use std::time::Duration;

use mcp_runtime::transport::HttpOptions;
use serde_json::json;
use support::wire::Revision;

use crate::http::gated_tools::{gated, start_server, start_server_with};
use crate::http::streams::wait_for;
use support::http_client::HttpClient;
use support::http_server::HttpServer;

const SHORT: Duration = Duration::from_millis(100);
const POST: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

#[test]
fn oversized_body_is_413() {
    let server = start_server_with(HttpOptions::new().max_body(1000));
    let mut connection = server.connect();
    connection.write(format!("{POST}Content-Length: 1001\r\n\r\n"));
    assert_eq!(connection.read_head().status, 413);

    let mut connection = server.connect();
    connection.write(format!("{POST}Transfer-Encoding: chunked\r\n\r\n"));
    for _ in 0..11 {
        if !connection.try_write(format!("64\r\n{}\r\n", " ".repeat(100))) {
            break;
        }
    }
    assert_eq!(connection.read_head().status, 413);
}

#[test]
fn client_that_writes_a_large_body_first_receives_the_413() {
    let server = start_server_with(HttpOptions::new().max_body(1000));
    let chunk = format!("{:x}\r\n{}\r\n", 64 * 1024, " ".repeat(64 * 1024));
    let mut chunked = format!("{POST}Transfer-Encoding: chunked\r\n\r\n");
    // More than the buffers of the sockets hold.
    for _ in 0..256 {
        chunked.push_str(&chunk);
    }
    chunked.push_str("0\r\n\r\n");
    let length = 16 * 1024 * 1024;
    let sized = format!(
        "{POST}Content-Length: {length}\r\n\r\n{}",
        " ".repeat(length)
    );
    for request in [chunked, sized] {
        let mut connection = server.connect();
        connection.write(request);
        assert_eq!(connection.read_head().status, 413);
    }
}

#[test]
fn chunked_body_is_accepted() {
    let server = start_server();
    let mut connection = server.connect();
    connection.write(format!("{POST}Transfer-Encoding: chunked\r\n\r\n"));
    for byte in r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#.chars() {
        connection.write(format!("1\r\n{byte}\r\n"));
    }
    connection.write("0\r\n\r\n");
    let (head, body) = connection.read_response();
    assert_eq!(head.status, 400);
    assert!(body.contains(r#""id":1"#), "{body}");
}

#[test]
fn oversized_headers_are_431() {
    let server = start_server_with(HttpOptions::new().max_header_bytes(8192));
    let mut connection = server.connect();
    connection.try_write(format!("{POST}X: {}\r\n\r\n", "x".repeat(10_000)));
    assert_eq!(connection.read_head().status, 431);

    // The default, whatever the buffer of the parser is.
    let server = start_server();
    for (headers, expected) in [
        (vec![65_000], 405),
        (vec![100_000], 431),
        (vec![33_000; 2], 431),
    ] {
        let mut connection = server.connect();
        let mut head = "PUT /mcp HTTP/1.1\r\nHost: localhost\r\n".to_owned();
        for length in &headers {
            head += &format!("X: {}\r\n", "x".repeat(*length));
        }
        connection.try_write(head + "\r\n");
        assert_eq!(connection.read_head().status, expected, "{headers:?}");
    }
    let mut connection = server.connect();
    let query = "q".repeat(65_500);
    connection.try_write(format!(
        "PUT /mcp?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    ));
    let status = connection.read_head().status;
    assert!(status == 431 || status == 414, "{status}");
}

#[test]
fn slow_clients_time_out() {
    let server = start_server_with(
        HttpOptions::new()
            .header_read_timeout(SHORT)
            .body_timeout(SHORT),
    );
    let mut silent = server.connect();
    let mut slow_head = server.connect();
    slow_head.write("POST /mcp HTTP/1.1\r\nHost: local");
    let mut idle = server.connect();
    idle.send_request("PUT", &[], None);
    let mut slow_body = server.connect();
    slow_body.write(format!("{POST}Content-Length: 100\r\n\r\n{{"));
    assert_eq!(slow_body.read_head().status, 408);
    assert!(slow_body.is_closed());
    assert_eq!(idle.read_response().0.status, 405);
    for connection in [&mut silent, &mut slow_head, &mut idle] {
        assert!(connection.is_closed());
    }
}

#[test]
fn client_that_does_not_read_is_disconnected() {
    let server = gated().1.max_result(64 * 1024 * 1024);
    let server = HttpServer::start(server.http(HttpOptions::new().write_timeout(SHORT)));
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let call = client.new_call("long", json!({ "bytes": 32 * 1024 * 1024 }));
    client.send(&call, &[]);
    let head = client.connection.read_head();
    std::thread::sleep(SHORT * 10);
    assert!(client.connection.is_closed());
    let length: usize = head.header("content-length").unwrap().parse().unwrap();
    assert!(client.connection.buffered_len() < length);
}

#[test]
fn request_limit_is_503() {
    let (gate, server) = gated();
    let server = HttpServer::start(server.http(HttpOptions::new().max_requests(1)));
    let mut held = HttpClient::initialized(&server, Revision::V2025_06_18);
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    let call = held.new_call("wait", json!({}));
    held.send(&call, &[]);
    wait_for(&gate.reached);
    let request = client.new_request("tools/list", json!({}));
    let (head, _) = client.post(&request, &[]);
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    gate.open.notify_one();
    assert_eq!(held.connection.read_response().0.status, 200);
    let deadline = std::time::Instant::now() + support::http_connection::TIMEOUT;
    loop {
        let request = client.new_request("tools/list", json!({}));
        if client.post(&request, &[]).0.status == 200 {
            break;
        }
        assert!(std::time::Instant::now() < deadline);
    }
}

#[test]
fn streams_have_their_own_limit() {
    let server = start_server_with(HttpOptions::new().max_requests(1).max_streams(2));
    let mut legacy = HttpClient::initialized(&server, Revision::V2025_06_18);
    assert!(legacy.open_stream(&[]).is_stream());
    let mut modern = HttpClient::initialized(&server, Revision::V2026_07_28);
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let request = modern.new_request("subscriptions/listen", listen.clone());
    modern.send(&request, &[]);
    assert!(modern.connection.read_head().is_stream());
    assert_eq!(server.endpoint.stream_count(), 2);

    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    assert_eq!(client.request("tools/list", json!({})).0, 200);
    let request = client.new_request("subscriptions/listen", listen);
    let (head, _) = client.post(&request, &[]);
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    let mut third = HttpClient::initialized(&server, Revision::V2025_06_18);
    let head = third.open_stream(&[]);
    assert_eq!(head.status, 503);

    legacy.reconnect(&server).close();
    modern.reconnect(&server).close();
    server.wait_for_no_streams();
    assert_eq!(client.request("tools/list", json!({})).0, 200);
}

#[test]
fn connections_over_the_limit_wait() {
    let server = start_server_with(HttpOptions::new().max_connections(1));
    let mut first = server.connect();
    first.send_request("PUT", &[], None);
    assert_eq!(first.read_response().0.status, 405);
    let mut second = server.connect();
    second.send_request("PUT", &[], None);
    first.send_request("PUT", &[("Connection", "close")], None);
    assert_eq!(first.read_response().0.status, 405);
    assert_eq!(second.read_response().0.status, 405);
}

#[test]
fn one_connection_serves_many_requests() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    for a in 0..100 {
        let (status, answer) = client.request(
            "tools/call",
            json!({ "name": "add", "arguments": { "a": a } }),
        );
        let text = answer["result"]["content"][0]["text"].as_str();
        assert_eq!((status, text), (200, Some((a + 1).to_string().as_str())));
    }
}

#[test]
fn connection_may_break_at_every_byte() {
    let server = start_server();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    let request = format!("{POST}Content-Length: {}\r\n\r\n{body}", body.len());
    for end in 0..=request.len() {
        let mut connection = server.connect();
        connection.write(&request[..end]);
        connection.close();
    }
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    assert_eq!(client.request("tools/list", json!({})).0, 200);
}
