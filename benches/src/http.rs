use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{Load, Server, framed, initialize, initialized, spent};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// A client of 2026-07-28, every request of which stands alone.
    Stateless,
    /// A client of 2025-11-25 in a session.
    Session,
}

/// What is asked, by whom, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Posts<'a> {
    /// The request.
    pub request: &'a Value,
    /// Who sends it.
    pub client: Client,
    /// On how many connections, and how often on each.
    pub load: Load,
}

/// Connections, each with one request at a time.
struct Driven {
    child: Child,
    connections: Vec<BufReader<TcpStream>>,
    session: Option<String>,
}

impl Server {
    /// The processor time that the server takes for one request over HTTP.
    ///
    /// It is started with `--http 127.0.0.1:0`, and says on stderr where it listens.
    /// What it takes to start is measured apart and taken off.
    ///
    /// # Errors
    /// The server cannot be started, or answers wrongly.
    pub fn cost_over_http(&self, posts: Posts<'_>) -> io::Result<Duration> {
        let rounds = |rounds| Posts {
            load: Load {
                rounds,
                ..posts.load
            },
            ..posts
        };
        let warm = 64;
        let idle = self.post(rounds(warm))?;
        let busy = self.post(rounds(warm + posts.load.rounds))?;
        Ok(busy.saturating_sub(idle) / posts.load.requests())
    }

    fn post(&self, posts: Posts<'_>) -> io::Result<Duration> {
        let before = spent();
        let mut driven = self.listen(posts.load.at_once)?;
        if posts.client == Client::Session && self.handshake {
            driven.shake_hands()?;
        }
        // Each connection has an id of its own, since those of a session are in one space.
        let ids = 1..=posts.load.at_once;
        let requests: Vec<_> = ids.map(|id| driven.posted(posts, id)).collect();
        for _ in 0..posts.load.rounds {
            for (connection, request) in driven.connections.iter_mut().zip(&requests) {
                connection.get_mut().write_all(request.as_bytes())?;
            }
            for connection in &mut driven.connections {
                read(connection)?.result()?;
            }
        }
        drop(driven);
        Ok(spent().saturating_sub(before))
    }

    fn listen(&self, connections: u32) -> io::Result<Driven> {
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .args(["--http", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut driven = Driven {
            child,
            connections: Vec::new(),
            session: None,
        };
        let address = driven.address()?;
        for _ in 0..connections {
            let stream = TcpStream::connect(&address)?;
            stream.set_nodelay(true)?;
            driven.connections.push(BufReader::new(stream));
        }
        Ok(driven)
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        // One that has ended by itself is no concern.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Driven {
    fn address(&mut self) -> io::Result<String> {
        let log = self.child.stderr.take();
        let log = log.ok_or_else(|| io::Error::other("the log of the server is missing"))?;
        for line in BufReader::new(log).lines() {
            let line = line?;
            let address = line
                .split_once("listening on http://")
                .and_then(|(_, rest)| rest.split_once('/'));
            if let Some((address, _)) = address {
                return Ok(address.to_owned());
            }
        }
        Err(io::Error::other("the server does not listen"))
    }

    fn shake_hands(&mut self) -> io::Result<()> {
        let head = self.exchange(&post("", &initialize()))?.result()?;
        let session = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        self.session = session.map(str::to_owned);
        self.exchange(&post(&self.claims(), &initialized()))?;
        Ok(())
    }

    fn exchange(&mut self, request: &str) -> io::Result<Response> {
        let connection = &mut self.connections[0];
        connection.get_mut().write_all(request.as_bytes())?;
        read(connection)
    }

    /// What every request in a session says about it.
    fn claims(&self) -> String {
        let session = self.session.as_deref().unwrap_or_default();
        format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n")
    }

    fn posted(&self, posts: Posts<'_>, id: u32) -> String {
        let mut request = posts.request.clone();
        if posts.client == Client::Session {
            return post(&self.claims(), &framed(&request, id));
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

struct Response {
    head: String,
    body: Vec<u8>,
}

impl Response {
    /// The head of a response that has a result, as JSON or as an event.
    fn result(self) -> io::Result<String> {
        let body = String::from_utf8_lossy(&self.body);
        let good = body.contains("\"result\":") && !body.contains("\"isError\":true");
        if good && self.head.starts_with("HTTP/1.1 200") {
            return Ok(self.head);
        }
        Err(io::Error::other(format!(
            "not a result: {}{body}",
            self.head
        )))
    }
}

/// Reads one response to its end.
fn read(connection: &mut BufReader<TcpStream>) -> io::Result<Response> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if connection.read_line(&mut head)? == 0 {
            return Err(io::Error::other("the server closed the connection"));
        }
    }
    let mut body = Vec::new();
    let value = |name| head.lines().find_map(|line| line.strip_prefix(name));
    if let Some(length) = value("content-length: ") {
        take(connection, length.parse().unwrap_or(0), &mut body)?;
    } else if value("transfer-encoding: ") == Some("chunked") {
        chunks(connection, &mut body)?;
    }
    Ok(Response { head, body })
}

fn chunks(connection: &mut BufReader<TcpStream>, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        connection.read_line(&mut line)?;
        let length = u64::from_str_radix(line.trim_end(), 16).map_err(io::Error::other)?;
        take(connection, length, body)?;
        take(connection, 2, &mut Vec::new())?;
        if length == 0 {
            return Ok(());
        }
    }
}

fn take(connection: &mut BufReader<TcpStream>, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    connection.take(length).read_to_end(body)?;
    Ok(())
}
