//! What one client can take of a server.

use std::time::Duration;

use mcp_runtime::HttpOptions;
use serde_json::json;
use wire::Revision;

use crate::caller::Caller;
use crate::host::Host;
use crate::streams::wait_for;
use crate::talkative::gated;

const SHORT: Duration = Duration::from_millis(100);
const POST: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

#[test]
fn a_body_that_is_too_long_is_not_read() {
    let host = Host::with(HttpOptions::new().max_body(1000));
    let mut line = host.connect();
    line.write(format!("{POST}Content-Length: 1001\r\n\r\n"));
    assert_eq!(line.head().status, 413);

    let mut line = host.connect();
    line.write(format!("{POST}Transfer-Encoding: chunked\r\n\r\n"));
    for _ in 0..11 {
        if !line.try_write(format!("64\r\n{}\r\n", " ".repeat(100))) {
            break;
        }
    }
    assert_eq!(line.head().status, 413);
}

#[test]
fn a_body_may_come_in_pieces() {
    let host = Host::start();
    let mut line = host.connect();
    line.write(format!("{POST}Transfer-Encoding: chunked\r\n\r\n"));
    for byte in r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#.chars() {
        line.write(format!("1\r\n{byte}\r\n"));
    }
    line.write("0\r\n\r\n");
    let (head, body) = line.reply();
    assert_eq!(head.status, 400);
    assert!(body.contains(r#""id":1"#), "{body}");
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let host = Host::with(HttpOptions::new().max_head(8192));
    let mut line = host.connect();
    line.try_write(format!("{POST}X: {}\r\n\r\n", "x".repeat(10_000)));
    assert_eq!(line.head().status, 431);
}

#[test]
fn slow_clients_are_let_go() {
    let host = Host::with(HttpOptions::new().head_timeout(SHORT).body_timeout(SHORT));
    let mut silent = host.connect();
    let mut slow_head = host.connect();
    slow_head.write("POST /mcp HTTP/1.1\r\nHost: local");
    let mut idle = host.connect();
    idle.request("PUT", &[], None);
    let mut slow_body = host.connect();
    slow_body.write(format!("{POST}Content-Length: 100\r\n\r\n{{"));
    assert_eq!(slow_body.head().status, 408);
    assert!(slow_body.is_closed());
    assert_eq!(idle.reply().0.status, 405);
    for line in [&mut silent, &mut slow_head, &mut idle] {
        assert!(line.is_closed());
    }
}

#[test]
fn a_client_that_does_not_read_is_let_go() {
    let server = gated().1.max_result(64 * 1024 * 1024);
    let host = Host::of(server.http(HttpOptions::new().write_timeout(SHORT)));
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let call = caller.call("long", json!({ "bytes": 32 * 1024 * 1024 }));
    caller.send(&call, &[]);
    let head = caller.line.head();
    std::thread::sleep(SHORT * 10);
    assert!(caller.line.is_closed());
    let length: usize = head.header("content-length").unwrap().parse().unwrap();
    assert!(caller.line.unread() < length);
}

#[test]
fn too_many_requests_are_refused() {
    let (gate, server) = gated();
    let host = Host::of(server.http(HttpOptions::new().max_requests(1)));
    let mut held = Caller::ready(&host, Revision::V2025_06_18);
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    let call = held.call("wait", json!({}));
    held.send(&call, &[]);
    wait_for(&gate.reached);
    let request = caller.request("tools/list", json!({}));
    let (head, _) = caller.say(&request, &[]);
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    gate.open.notify_one();
    assert_eq!(held.line.reply().0.status, 200);
    let deadline = std::time::Instant::now() + crate::line::PATIENCE;
    loop {
        let request = caller.request("tools/list", json!({}));
        if caller.say(&request, &[]).0.status == 200 {
            break;
        }
        assert!(std::time::Instant::now() < deadline);
    }
}

#[test]
fn streams_take_no_place_of_requests_and_have_a_limit_of_their_own() {
    let host = Host::with(HttpOptions::new().max_requests(1).max_streams(2));
    let mut legacy = Caller::ready(&host, Revision::V2025_06_18);
    assert!(legacy.listen(&[]).is_stream());
    let mut modern = Caller::ready(&host, Revision::V2026_07_28);
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let request = modern.request("subscriptions/listen", listen.clone());
    modern.send(&request, &[]);
    assert!(modern.line.head().is_stream());
    assert_eq!(host.endpoint.stream_count(), 2);

    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    assert_eq!(caller.ask("tools/list", json!({})).0, 200);
    let request = caller.request("subscriptions/listen", listen);
    let (head, _) = caller.say(&request, &[]);
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    let mut third = Caller::ready(&host, Revision::V2025_06_18);
    let head = third.listen(&[]);
    assert_eq!(head.status, 503);

    legacy.line(&host).hang_up();
    modern.line(&host).hang_up();
    host.has_no_streams();
    assert_eq!(caller.ask("tools/list", json!({})).0, 200);
}

#[test]
fn too_many_connections_wait() {
    let host = Host::with(HttpOptions::new().max_connections(1));
    let mut first = host.connect();
    first.request("PUT", &[], None);
    assert_eq!(first.reply().0.status, 405);
    let mut second = host.connect();
    second.request("PUT", &[], None);
    first.request("PUT", &[("Connection", "close")], None);
    assert_eq!(first.reply().0.status, 405);
    assert_eq!(second.reply().0.status, 405);
}

#[test]
fn one_connection_serves_many_requests() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    for a in 0..100 {
        let (status, answer) = caller.ask(
            "tools/call",
            json!({ "name": "add", "arguments": { "a": a } }),
        );
        let text = answer["result"]["content"][0]["text"].as_str();
        assert_eq!((status, text), (200, Some((a + 1).to_string().as_str())));
    }
}

#[test]
fn a_connection_may_break_anywhere() {
    let host = Host::start();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    let whole = format!("{POST}Content-Length: {}\r\n\r\n{body}", body.len());
    for end in 0..=whole.len() {
        let mut line = host.connect();
        line.write(&whole[..end]);
        line.hang_up();
    }
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    assert_eq!(caller.ask("tools/list", json!({})).0, 200);
}
