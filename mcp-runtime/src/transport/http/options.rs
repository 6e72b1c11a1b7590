use std::time::Duration;

use super::listen::HttpListener;
use crate::error::Error;

/// How a server is reached over HTTP, and what a client may take of it.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::HttpOptions;
///
/// let options = HttpOptions::new()
///     .public_host("mcp.example.com")
///     .allow_origin("https://app.example.com")
///     .session_idle(Duration::from_secs(600));
/// ```
#[derive(Clone, Debug)]
pub struct HttpOptions {
    pub(super) path: String,
    pub(super) public_hosts: Vec<String>,
    pub(super) any_host: bool,
    pub(super) anonymous: bool,
    pub(super) origins: Vec<String>,
    pub(super) max_body: usize,
    pub(super) max_head: usize,
    pub(super) max_connections: usize,
    pub(super) max_requests: usize,
    pub(super) max_streams: usize,
    pub(super) head_timeout: Duration,
    pub(super) body_timeout: Duration,
    pub(super) write_timeout: Duration,
    pub(super) keep_alive: Duration,
    pub(super) recheck: Duration,
    pub(super) retry: Duration,
    pub(super) session_idle: Duration,
    pub(super) max_sessions: usize,
    pub(super) event_buffer: usize,
    pub(super) drain: Duration,
    pub(super) http_with_sse: bool,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            public_hosts: Vec::new(),
            any_host: false,
            anonymous: false,
            origins: Vec::new(),
            max_body: 4 * 1024 * 1024,
            max_head: 64 * 1024,
            max_connections: 4096,
            max_requests: 4096,
            max_streams: 4096,
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            recheck: Duration::from_secs(60),
            retry: Duration::from_secs(1),
            session_idle: Duration::from_secs(30 * 60),
            max_sessions: 10_000,
            event_buffer: 1024 * 1024,
            drain: Duration::from_secs(10),
            http_with_sse: false,
        }
    }
}

impl HttpOptions {
    /// What is right for a server that only this machine reaches.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The path of the endpoint, `/mcp` unless said; a mounted service ignores it.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// A name in the `Host` header that is served besides those of this machine.
    ///
    /// With a port, only that port; without one, every port. A server that
    /// listens beyond loopback needs at least one.
    #[must_use]
    pub fn public_host(mut self, host: impl Into<String>) -> Self {
        self.public_hosts.push(host.into().to_ascii_lowercase());
        self
    }

    /// Serves callers whom nobody knows also where other machines reach the server.
    ///
    /// Otherwise a server that listens beyond loopback needs
    /// [`Server::authenticate`](crate::Server::authenticate).
    #[must_use]
    pub fn anonymous(mut self) -> Self {
        self.anonymous = true;
        self
    }

    /// Serves every `Host`, for a server behind something that checks it.
    ///
    /// `Origin` is still validated.
    #[must_use]
    pub fn any_host(mut self) -> Self {
        self.any_host = true;
        self
    }

    /// A web origin, such as `https://app.example.com`, whose pages may use the server.
    ///
    /// Naming one switches CORS on for it. Without any, only pages of this
    /// machine, and those that come from the server's own host, are let in.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into().to_ascii_lowercase());
        self
    }

    /// The longest body of a request in bytes, 4 MiB unless said; more is a 413.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// The longest head of a request in bytes, 64 KiB unless said, at least 8 KiB; more is a 431.
    #[must_use]
    pub fn max_head(mut self, bytes: usize) -> Self {
        self.max_head = bytes.max(8 * 1024);
        self
    }

    /// How many connections are open at once, 4096 unless said; others wait to be accepted.
    ///
    /// A connection carries one request at a time, so this also bounds what one
    /// client can have in flight on each.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// How many requests are served at once, 4096 unless said; more is a 503.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.max_requests = requests.max(1);
        self
    }

    /// How many streams stand open at once that wait for news, 4096 unless said; more is a 503.
    ///
    /// They are counted apart from requests, so that clients who only listen
    /// leave room for those who call.
    #[must_use]
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.max_streams = streams.max(1);
        self
    }

    /// How long a connection may take to send its next head, idle time included; 30 s unless said.
    #[must_use]
    pub fn head_timeout(mut self, timeout: Duration) -> Self {
        self.head_timeout = timeout;
        self
    }

    /// How long a body may take to arrive, 30 s unless said; longer is a 408.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// How long a client may take nothing of what is sent to it, 30 s unless said.
    #[must_use]
    pub fn write_timeout(mut self, timeout: Duration) -> Self {
        self.write_timeout = timeout;
        self
    }

    /// How long a stream is silent before a comment keeps it open, 15 s unless said.
    ///
    /// A call that takes longer is answered on a stream for the same reason.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = interval.max(Duration::from_millis(1));
        self
    }

    /// How often the token behind a stream is validated again, 60 s unless said;
    /// once it is not good, or is another caller's, the stream ends.
    #[must_use]
    pub fn recheck(mut self, interval: Duration) -> Self {
        self.recheck = interval.max(Duration::from_millis(1));
        self
    }

    /// When a client whose stream broke should come back, 1 s unless said.
    #[must_use]
    pub fn retry(mut self, retry: Duration) -> Self {
        self.retry = retry;
        self
    }

    /// How long a session lives without a request, a call or a stream; 30 min unless said.
    #[must_use]
    pub fn session_idle(mut self, idle: Duration) -> Self {
        self.session_idle = idle;
        self
    }

    /// How many sessions live at once, 10,000 unless said; the least recently used give way.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions.max(1);
        self
    }

    /// How many bytes of events a session keeps for clients that come back, 1 MiB unless said.
    ///
    /// It also bounds what waits for a client that reads slowly. An event goes once
    /// so much came after it, however long it is itself, and an answer always waits.
    #[must_use]
    pub fn event_buffer(mut self, bytes: usize) -> Self {
        self.event_buffer = bytes;
        self
    }

    /// How long calls may go on after the server was told to stop, 10 s unless said.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Self {
        self.drain = drain;
        self
    }

    pub(crate) fn path_of(&self) -> &str {
        &self.path
    }

    /// Holds the options against where the server listens, and whether it knows callers.
    pub(super) fn check(&self, listener: &HttpListener, knows: bool) -> Result<(), Error> {
        let named = self.any_host || !self.public_hosts.is_empty();
        let public = listener.local_addr().filter(|it| !it.ip().is_loopback());
        match public {
            Some(address) if !named => Err(Error::NoPublicHost { address }),
            Some(address) if !knows && !self.anonymous => Err(Error::OpenToAll { address }),
            _ => Ok(()),
        }
    }

    /// Also serves the transport of 2024-11-05 (HTTP with SSE) at the same path.
    ///
    /// Deprecated since 2025-03-26 and off unless asked for.
    #[must_use]
    pub fn http_with_sse(mut self) -> Self {
        self.http_with_sse = true;
        self
    }
}
