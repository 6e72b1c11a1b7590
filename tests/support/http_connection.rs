//! An HTTP/1.1 connection that sends exactly the bytes of the test.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// How long a test waits for something that must happen.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// A TCP connection with a buffer of unread bytes.
pub struct HttpConnection {
    socket: TcpStream,
    /// Bytes received and not yet consumed.
    buffer: Vec<u8>,
}

/// Status and headers of a response.
#[derive(Debug)]
pub struct ResponseHead {
    pub status: u16,
    headers: Vec<(String, String)>,
}

impl ResponseHead {
    /// The value of a header, which must not be repeated.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(key, _)| key == name);
        let (_, value) = values.next()?;
        assert!(values.next().is_none(), "{name} twice");
        Some(value)
    }

    /// Whether the body is an event stream.
    pub fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }
}

/// One event of a stream; a comment is an event without any field.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    pub name: Option<String>,
    pub id: Option<String>,
    pub retry: Option<u64>,
    pub data: Option<String>,
}

impl HttpConnection {
    pub fn connect(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        Self {
            socket,
            buffer: Vec::new(),
        }
    }

    pub fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.socket.write_all(bytes.as_ref()).unwrap();
    }

    /// Writes all bytes, or returns `false` if the server closes the connection.
    pub fn try_write(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.socket.write_all(bytes.as_ref()).is_ok()
    }

    /// Sends a request to `/mcp`, with `Content-Length` if it has a body.
    pub fn send_request(&mut self, method: &str, headers: &[(&str, &str)], body: Option<&str>) {
        let mut text = format!("{method} /mcp HTTP/1.1\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            text += "Host: localhost\r\n";
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = body {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        self.write(text + "\r\n" + body.unwrap_or_default());
    }

    /// Reads status and headers.
    pub fn read_head(&mut self) -> ResponseHead {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end;
            }
            assert!(self.read_some(), "the connection ended before the headers");
        };
        let rest = self.buffer.split_off(end + 4);
        let head = String::from_utf8(std::mem::replace(&mut self.buffer, rest)).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        });
        ResponseHead {
            status: status.parse().unwrap(),
            headers: headers.collect(),
        }
    }

    /// Reads the body of a response with `Content-Length`.
    pub fn read_body(&mut self, head: &ResponseHead) -> String {
        let length = head
            .header("content-length")
            .map_or(0, |it| it.parse().unwrap());
        while self.buffer.len() < length {
            assert!(self.read_some(), "the connection ended within a body");
        }
        let rest = self.buffer.split_off(length);
        String::from_utf8(std::mem::replace(&mut self.buffer, rest)).unwrap()
    }

    /// Reads a whole response with `Content-Length`.
    pub fn read_response(&mut self) -> (ResponseHead, String) {
        let head = self.read_head();
        let body = self.read_body(&head);
        (head, body)
    }

    /// Reads the next event, skipping comments; `None` at the end of the stream.
    pub fn next_event(&mut self) -> Option<SseEvent> {
        loop {
            let event = self.next_block()?;
            if event != SseEvent::default() {
                return Some(event);
            }
        }
    }

    /// Reads the next event or comment; `None` at the end of the stream.
    ///
    /// Each chunk of the server has one or more whole events.
    pub fn next_block(&mut self) -> Option<SseEvent> {
        loop {
            self.unchunk();
            let Some(end) = find(&self.buffer, b"\n\n") else {
                if self.buffer.starts_with(b"0\r\n\r\n") {
                    self.buffer.drain(..5);
                    return None;
                }
                assert!(self.read_some(), "the connection ended within a stream");
                continue;
            };
            let rest = self.buffer.split_off(end + 2);
            let block = String::from_utf8(std::mem::replace(&mut self.buffer, rest)).unwrap();
            return Some(parse(&block));
        }
    }

    /// Removes the framing of the next chunk, once the whole chunk has arrived.
    fn unchunk(&mut self) {
        if self.buffer.starts_with(b"\r\n") {
            self.buffer.drain(..2);
        }
        let Some(end) = find(&self.buffer, b"\r\n") else {
            return;
        };
        let size = std::str::from_utf8(&self.buffer[..end]).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else {
            return;
        };
        if size == 0 {
            return;
        }
        while self.buffer.len() < end + 2 + size {
            assert!(self.read_some(), "the connection ended within a chunk");
        }
        self.buffer.drain(..end + 2);
    }

    /// Reads until the server closes the connection.
    pub fn is_closed(&mut self) -> bool {
        while self.read_some() {}
        true
    }

    /// The number of bytes received and not consumed.
    pub fn buffered_len(&self) -> usize {
        self.buffer.len()
    }

    /// Closes the connection in both directions.
    pub fn close(self) {
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn read_some(&mut self) -> bool {
        let mut chunk = [0; 64 * 1024];
        match self.socket.read(&mut chunk) {
            Ok(0) => false,
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                true
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("{error}"),
        }
    }
}

fn parse(block: &str) -> SseEvent {
    let mut event = SseEvent::default();
    for line in block.lines().filter(|line| !line.is_empty()) {
        match line
            .split_once(": ")
            .unwrap_or((line.trim_end_matches(':'), ""))
        {
            ("event", name) => event.name = Some(name.to_owned()),
            ("id", id) => event.id = Some(id.to_owned()),
            ("retry", retry) => event.retry = Some(retry.parse().unwrap()),
            ("data", data) => event.data = Some(data.to_owned()),
            ("", _) => {}
            (field, _) => panic!("{field} in {block:?}"),
        }
    }
    event
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
