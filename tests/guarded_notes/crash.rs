//! The audit file survives a crash of the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::readme::Example;

const CLIENTS: usize = 4;

/// The HTTP request of a call.
fn request(token: &str) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "list_notes", "arguments": {}, "_meta": meta });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let body = body.to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nAccept: application/json\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: list_notes\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends calls until the connection breaks, and counts the responses.
fn call_repeatedly(address: SocketAddr, token: &str, answered: &AtomicUsize) {
    let request = request(token);
    let Ok(socket) = TcpStream::connect(address) else {
        return;
    };
    let mut connection = BufReader::new(socket);
    while connection.get_mut().write_all(request.as_bytes()).is_ok()
        && read_response(&mut connection)
    {
        answered.fetch_add(1, Ordering::SeqCst);
    }
}

/// Reads a whole response; `false` if the connection breaks before its end.
fn read_response(connection: &mut BufReader<TcpStream>) -> bool {
    let (mut length, mut header) = (0, String::new());
    loop {
        header.clear();
        if !connection.read_line(&mut header).is_ok_and(|read| read > 0) {
            return false;
        }
        if header == "\r\n" {
            return connection.read_exact(&mut vec![0; length]).is_ok();
        }
        if let Some(value) = header.strip_prefix("content-length: ") {
            length = value.trim_end().parse().unwrap();
        }
    }
}

#[test]
fn every_answered_call_is_in_the_audit_file_after_a_crash() {
    let mut example = Example::start();
    let address: SocketAddr = example.address.parse().unwrap();
    let tokens = include_str!("../../examples/guarded_notes/tokens.sh");
    let mut tokens = tokens.lines();
    let token = tokens.find_map(|line| line.strip_prefix("BOB="));
    let answered = Arc::new(AtomicUsize::new(0));
    let clients = [(); CLIENTS].map(|()| {
        let answered = Arc::clone(&answered);
        thread::spawn(move || call_repeatedly(address, token.unwrap(), &answered))
    });
    while answered.load(Ordering::SeqCst) < 100 {
        thread::yield_now();
    }
    example.crash();
    for client in clients {
        client.join().unwrap();
    }
    // The last line may be incomplete, of a call without a response.
    let text = example.audit();
    let lines = text.lines();
    let complete = lines.filter(|line| serde_json::from_str::<Value>(line).is_ok());
    let answered = answered.load(Ordering::SeqCst);
    assert!(
        complete.count() >= answered,
        "{answered} calls were answered"
    );
}
