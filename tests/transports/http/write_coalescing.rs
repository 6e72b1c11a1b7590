//! Headers and ready data are sent in one write.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::http::gated_tools::start_server;
use support::http_connection::TIMEOUT;

fn call(tool: &str) -> String {
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":1}"#;
    let params = format!(r#"{{"name":"{tool}","arguments":{{}},"_meta":{meta}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a request and returns the bytes of one read, which are those of one write.
fn first_read(socket: &mut TcpStream, request: &str) -> String {
    socket.write_all(request.as_bytes()).unwrap();
    let mut buffer = vec![0; 64 * 1024];
    let count = socket.read(&mut buffer).unwrap();
    String::from_utf8(buffer[..count].to_vec()).unwrap()
}

#[test]
fn headers_and_body_arrive_in_one_write() {
    let server = start_server();
    let mut socket = TcpStream::connect(server.address).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    for _ in 0..50 {
        let text = first_read(&mut socket, &call("nothing"));
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        assert!(text.ends_with('}'), "{text}");
    }
}

#[test]
fn headers_and_ready_events_arrive_in_one_write() {
    let server = start_server();
    for _ in 0..10 {
        let mut socket = TcpStream::connect(server.address).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        let text = first_read(&mut socket, &call("report"));
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        assert_eq!(text.matches("notifications/progress").count(), 3);
        assert_eq!(text.matches("\"result\":").count(), 1);
    }
}
