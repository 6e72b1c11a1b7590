//! One connection, on which every byte of HTTP is written and read by hand.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// Long enough for anything that does happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Line {
    socket: TcpStream,
    /// What was read and not looked at.
    unread: Vec<u8>,
}

/// The head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(it, _)| it == name);
        let (_, value) = found.next()?;
        assert!(found.next().is_none(), "{name} twice");
        Some(value)
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }
}

/// One event of a stream; a comment has neither an id nor data.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    pub(crate) data: Option<String>,
}

impl Line {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Self {
            socket,
            unread: Vec::new(),
        }
    }

    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.socket.write_all(bytes.as_ref()).unwrap();
    }

    /// Writes as far as the server lets it.
    pub(crate) fn try_write(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.socket.write_all(bytes.as_ref()).is_ok()
    }

    /// A request with these header lines, and a `Content-Length` where there is a body.
    pub(crate) fn request(&mut self, method: &str, headers: &[(&str, &str)], body: Option<&str>) {
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

    pub(crate) fn head(&mut self) -> Head {
        let end = loop {
            if let Some(end) = find(&self.unread, b"\r\n\r\n") {
                break end;
            }
            assert!(self.read_some(), "the connection ended before a head");
        };
        let rest = self.unread.split_off(end + 4);
        let head = String::from_utf8(std::mem::replace(&mut self.unread, rest)).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        });
        Head {
            status: status.parse().unwrap(),
            headers: headers.collect(),
        }
    }

    /// The body of a response that is no stream.
    pub(crate) fn body(&mut self, head: &Head) -> String {
        let length = head
            .header("content-length")
            .map_or(0, |it| it.parse().unwrap());
        while self.unread.len() < length {
            assert!(self.read_some(), "the connection ended within a body");
        }
        let rest = self.unread.split_off(length);
        String::from_utf8(std::mem::replace(&mut self.unread, rest)).unwrap()
    }

    pub(crate) fn reply(&mut self) -> (Head, String) {
        let head = self.head();
        let body = self.body(&head);
        (head, body)
    }

    /// The next event of a stream, comments left out; `None` at its end.
    pub(crate) fn event(&mut self) -> Option<Event> {
        loop {
            let event = self.block()?;
            if event != Event::default() {
                return Some(event);
            }
        }
    }

    /// The next event or comment of a stream; `None` at its end.
    ///
    /// The server writes whole events into chunks, one or several.
    pub(crate) fn block(&mut self) -> Option<Event> {
        loop {
            self.unchunk();
            let Some(end) = find(&self.unread, b"\n\n") else {
                if self.unread.starts_with(b"0\r\n\r\n") {
                    self.unread.drain(..5);
                    return None;
                }
                assert!(self.read_some(), "the connection ended within a stream");
                continue;
            };
            let rest = self.unread.split_off(end + 2);
            let block = String::from_utf8(std::mem::replace(&mut self.unread, rest)).unwrap();
            return Some(parse(&block));
        }
    }

    /// Takes the frame of a chunk away, once all of it is there.
    fn unchunk(&mut self) {
        if self.unread.starts_with(b"\r\n") {
            self.unread.drain(..2);
        }
        let Some(end) = find(&self.unread, b"\r\n") else {
            return;
        };
        let size = std::str::from_utf8(&self.unread[..end]).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else {
            return;
        };
        if size == 0 {
            return;
        }
        while self.unread.len() < end + 2 + size {
            assert!(self.read_some(), "the connection ended within a chunk");
        }
        self.unread.drain(..end + 2);
    }

    /// Whether the server has closed the connection, once all is read.
    pub(crate) fn is_closed(&mut self) -> bool {
        while self.read_some() {}
        true
    }

    /// How many bytes came and were not looked at.
    pub(crate) fn unread(&self) -> usize {
        self.unread.len()
    }

    pub(crate) fn hang_up(self) {
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn read_some(&mut self) -> bool {
        let mut buffer = [0; 64 * 1024];
        match self.socket.read(&mut buffer) {
            Ok(0) => false,
            Ok(count) => {
                self.unread.extend_from_slice(&buffer[..count]);
                true
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("{error}"),
        }
    }
}

fn parse(block: &str) -> Event {
    let mut event = Event::default();
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
