use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{framed, initialize, spent};

/// A server over HTTP as a command.
#[derive(Clone, Debug)]
pub struct HttpServer {
    program: PathBuf,
    knows_sessions: bool,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// A client of 2026-07-28, every request of which stands alone.
    Stateless,
    /// A client of 2025-11-25 in a session.
    Session,
}

/// Connections, each with one request at a time.
struct Driven {
    child: Child,
    connections: Vec<BufReader<TcpStream>>,
    session: Option<String>,
}

impl HttpServer {
    /// A server that takes `--http ADDRESS` and says on stderr where it listens.
    #[must_use]
    pub fn new(program: impl AsRef<Path>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            knows_sessions: true,
        }
    }

    /// The floor, which answers one kind of request, whatever its headers say.
    #[must_use]
    pub fn floor(program: impl AsRef<Path>) -> Self {
        Self {
            knows_sessions: false,
            ..Self::new(program)
        }
    }

    /// The processor time that the server takes for one request.
    ///
    /// What it takes to start is measured apart and taken off.
    ///
    /// # Errors
    /// The server cannot be started, or answers wrongly.
    pub fn cost(
        &self,
        request: &Value,
        client: Client,
        connections: usize,
        rounds: u32,
    ) -> io::Result<Duration> {
        let warm = 64;
        let idle = self.run(request, client, connections, warm)?;
        let busy = self.run(request, client, connections, warm + rounds)?;
        let requests = rounds * u32::try_from(connections).unwrap_or(u32::MAX);
        Ok(busy.saturating_sub(idle) / requests)
    }

    fn run(
        &self,
        request: &Value,
        client: Client,
        connections: usize,
        rounds: u32,
    ) -> io::Result<Duration> {
        let before = spent();
        let mut driven = self.start(connections)?;
        if client == Client::Session && self.knows_sessions {
            driven.shake_hands()?;
        }
        // Each connection has an id of its own, since those of a session are in one space.
        let ids = 1..=u32::try_from(connections).unwrap_or(u32::MAX);
        let requests: Vec<_> = ids.map(|id| driven.posted(request, client, id)).collect();
        for _ in 0..rounds {
            for (connection, request) in driven.connections.iter_mut().zip(&requests) {
                connection.get_mut().write_all(request.as_bytes())?;
            }
            for connection in &mut driven.connections {
                read(connection)?;
            }
        }
        driven.child.kill()?;
        driven.child.wait()?;
        Ok(spent().saturating_sub(before))
    }

    fn start(&self, connections: usize) -> io::Result<Driven> {
        let mut child = Command::new(&self.program)
            .args(["--http", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let log = child.stderr.take();
        let log = log.ok_or_else(|| io::Error::other("the log of the server is missing"))?;
        let mut address = None;
        for line in BufReader::new(log).lines() {
            let line = line?;
            let found = line.split_once("listening on http://");
            if let Some((_, rest)) = found {
                address = rest.split_once('/').map(|(address, _)| address.to_owned());
                break;
            }
        }
        let address = address.ok_or_else(|| io::Error::other("the server does not listen"))?;
        let connect = || {
            let stream = TcpStream::connect(&address)?;
            stream.set_nodelay(true)?;
            Ok(BufReader::new(stream))
        };
        Ok(Driven {
            child,
            connections: (0..connections)
                .map(|_| connect())
                .collect::<io::Result<_>>()?,
            session: None,
        })
    }
}

impl Driven {
    fn shake_hands(&mut self) -> io::Result<()> {
        let request = post("", &initialize());
        let connection = &mut self.connections[0];
        connection.get_mut().write_all(request.as_bytes())?;
        let head = read(connection)?;
        let session = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        self.session = session.map(str::to_owned);
        Ok(())
    }

    fn posted(&self, request: &Value, client: Client, id: u32) -> String {
        let mut request = request.clone();
        if client == Client::Session {
            let session = self.session.as_deref().unwrap_or_default();
            let headers =
                format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
            return post(&headers, &framed(&request, id));
        }
        request["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let method = request["method"].as_str().unwrap_or_default();
        let name = request["params"]["name"].as_str().unwrap_or_default();
        let headers = format!(
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\nMcp-Name: {name}\r\n"
        );
        post(&headers, &framed(&request, id))
    }
}

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads one response, which must be a result; gives back its head.
fn read(connection: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if connection.read_line(&mut head)? == 0 {
            return Err(io::Error::other("the server closed the connection"));
        }
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    connection.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body);
    if head.starts_with("HTTP/1.1 200") && body.contains("\"result\":") {
        return Ok(head);
    }
    Err(io::Error::other(format!("not a result: {head}{body}")))
}
