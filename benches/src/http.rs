use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{
    Load, Server, children_cpu_time, initialize as initialize_line, initialized, to_line,
};

/// The client that sends the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// A client of 2026-07-28, whose requests are stateless.
    Stateless,
    /// A client of 2025-11-25 in a session.
    Session,
}

/// The requests of an HTTP benchmark.
#[derive(Clone, Copy, Debug)]
pub struct HttpLoad<'a> {
    /// The request.
    pub request: &'a Value,
    /// The client that sends it.
    pub client: Client,
    /// The number of connections and the requests on each.
    pub load: Load,
}

/// A running server over HTTP, and connections with one request at a time each.
struct HttpProcess {
    child: Child,
    connections: Vec<BufReader<TcpStream>>,
    session: Option<String>,
}

impl Server {
    /// Measures the processor time of the server per request over HTTP.
    ///
    /// The server is started with `--http 127.0.0.1:0` and logs its address on stderr. The
    /// time to start is measured separately and subtracted.
    ///
    /// # Errors
    /// Fails if the server cannot be started or responds with an error.
    pub fn cost_over_http(&self, http_load: HttpLoad<'_>) -> io::Result<Duration> {
        let rounds = |rounds| HttpLoad {
            load: Load {
                rounds,
                ..http_load.load
            },
            ..http_load
        };
        let warm_up = 64;
        let base = self.post(rounds(warm_up))?;
        let total = self.post(rounds(warm_up + http_load.load.rounds))?;
        Ok(total.saturating_sub(base) / http_load.load.requests())
    }

    fn post(&self, http_load: HttpLoad<'_>) -> io::Result<Duration> {
        let before = children_cpu_time();
        let mut process = self.listen(http_load.load.in_flight)?;
        if http_load.client == Client::Session && self.handshake {
            process.initialize()?;
        }
        // Each connection uses its own id, since ids must be unique in a session.
        let ids = 1..=http_load.load.in_flight;
        let requests: Vec<_> = ids.map(|id| process.request(http_load, id)).collect();
        for _ in 0..http_load.load.rounds {
            for (connection, request) in process.connections.iter_mut().zip(&requests) {
                connection.get_mut().write_all(request.as_bytes())?;
            }
            for connection in &mut process.connections {
                read(connection)?.result()?;
            }
        }
        drop(process);
        Ok(children_cpu_time().saturating_sub(before))
    }

    fn listen(&self, connections: u32) -> io::Result<HttpProcess> {
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .args(["--http", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut process = HttpProcess {
            child,
            connections: Vec::new(),
            session: None,
        };
        let address = process.address()?;
        for _ in 0..connections {
            let stream = TcpStream::connect(&address)?;
            stream.set_nodelay(true)?;
            process.connections.push(BufReader::new(stream));
        }
        Ok(process)
    }
}

impl Drop for HttpProcess {
    fn drop(&mut self) {
        // These fail if the process has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl HttpProcess {
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

    fn initialize(&mut self) -> io::Result<()> {
        let head = self.exchange(&post("", &initialize_line()))?.result()?;
        let session = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        self.session = session.map(str::to_owned);
        self.exchange(&post(&self.session_headers(), &initialized()))?;
        Ok(())
    }

    fn exchange(&mut self, request: &str) -> io::Result<Response> {
        let connection = &mut self.connections[0];
        connection.get_mut().write_all(request.as_bytes())?;
        read(connection)
    }

    /// Returns the headers of a request in a session.
    fn session_headers(&self) -> String {
        let session = self.session.as_deref().unwrap_or_default();
        format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n")
    }

    fn request(&self, http_load: HttpLoad<'_>, id: u32) -> String {
        let mut request = http_load.request.clone();
        if http_load.client == Client::Session {
            return post(&self.session_headers(), &to_line(&request, id));
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
        post(&headers, &to_line(&request, id))
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
    /// Returns the head if the body has a result, as JSON or as an event.
    fn result(self) -> io::Result<String> {
        let body = String::from_utf8_lossy(&self.body);
        let is_result = body.contains("\"result\":") && !body.contains("\"isError\":true");
        if is_result && self.head.starts_with("HTTP/1.1 200") {
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
