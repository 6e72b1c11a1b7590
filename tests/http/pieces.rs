//! Whatever is ready together leaves together.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::host::Host;
use crate::line::PATIENCE;

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

/// What one read brings, which is what one write sent: nothing else was sent before.
fn first_piece(socket: &mut TcpStream, request: &str) -> String {
    socket.write_all(request.as_bytes()).unwrap();
    let mut buffer = vec![0; 64 * 1024];
    let count = socket.read(&mut buffer).unwrap();
    String::from_utf8(buffer[..count].to_vec()).unwrap()
}

#[test]
fn a_head_comes_with_its_body() {
    let host = Host::start();
    let mut socket = TcpStream::connect(host.address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    for _ in 0..50 {
        let piece = first_piece(&mut socket, &call("nothing"));
        assert!(piece.starts_with("HTTP/1.1 200 OK\r\n"), "{piece}");
        assert!(piece.ends_with('}'), "{piece}");
    }
}

#[test]
fn a_head_comes_with_the_events_that_are_there() {
    let host = Host::start();
    for _ in 0..10 {
        let mut socket = TcpStream::connect(host.address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let piece = first_piece(&mut socket, &call("report"));
        assert!(piece.starts_with("HTTP/1.1 200 OK\r\n"), "{piece}");
        assert_eq!(piece.matches("notifications/progress").count(), 3);
        assert_eq!(piece.matches("\"result\":").count(), 1);
    }
}
