use std::time::Duration;

/// Options of the HTTP transport: who may connect, limits and timeouts.
///
/// The defaults suit a server that only programs on this machine reach.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::transport::HttpOptions;
///
/// let options = HttpOptions::new()
///     .public_host("mcp.example.com")
///     .allow_origin("https://app.example.com")
///     .session_idle_timeout(Duration::from_secs(600));
/// ```
#[derive(Clone, Debug)]
pub struct HttpOptions {
    pub(super) path: String,
    pub(super) public_hosts: Vec<String>,
    pub(super) any_host: bool,
    pub(super) allow_anonymous: bool,
    pub(super) origins: Vec<String>,
    pub(super) max_body: usize,
    pub(super) max_header_bytes: usize,
    pub(super) max_connections: usize,
    pub(super) max_requests: usize,
    pub(super) max_streams: usize,
    pub(super) header_read_timeout: Duration,
    pub(super) body_timeout: Duration,
    pub(super) write_timeout: Duration,
    pub(super) keep_alive: Duration,
    pub(super) token_recheck_interval: Duration,
    pub(super) sse_retry: Duration,
    pub(super) session_idle_timeout: Duration,
    pub(super) max_sessions: usize,
    pub(super) event_buffer: usize,
    pub(super) shutdown_timeout: Duration,
    pub(super) http_with_sse: bool,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            public_hosts: Vec::new(),
            any_host: false,
            allow_anonymous: false,
            origins: Vec::new(),
            max_body: 4 * 1024 * 1024,
            max_header_bytes: 64 * 1024,
            max_connections: 4096,
            max_requests: 4096,
            max_streams: 2048,
            header_read_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            token_recheck_interval: Duration::from_secs(60),
            sse_retry: Duration::from_secs(1),
            session_idle_timeout: Duration::from_secs(30 * 60),
            max_sessions: 10_000,
            event_buffer: 1024 * 1024,
            shutdown_timeout: Duration::from_secs(10),
            http_with_sse: false,
        }
    }
}

impl HttpOptions {
    /// Creates the default options, for a server that only this machine reaches.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the path of the endpoint. Defaults to `/mcp`; a mounted service ignores it.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Allows a `Host` header besides those of this machine.
    ///
    /// `example.com` allows every port, `example.com:8443` only that one. A server
    /// that listens on more than loopback needs at least one public host.
    #[must_use]
    pub fn public_host(mut self, host: impl Into<String>) -> Self {
        self.public_hosts.push(host.into().to_ascii_lowercase());
        self
    }

    /// Serves unauthenticated callers even on an address that other machines reach.
    ///
    /// Without this, a server that listens on more than loopback needs
    /// [`Server::authenticate`](crate::Server::authenticate).
    #[must_use]
    pub fn allow_anonymous(mut self) -> Self {
        self.allow_anonymous = true;
        self
    }

    /// Allows every `Host` header, for a server behind a proxy that checks it.
    ///
    /// `Origin` is still checked.
    #[must_use]
    pub fn any_host(mut self) -> Self {
        self.any_host = true;
        self
    }

    /// Allows pages from a web origin, such as `https://app.example.com`, and sends
    /// CORS headers to them.
    ///
    /// Pages from this machine and from a public host need no entry.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into().to_ascii_lowercase());
        self
    }

    /// Limits the body of a request, in bytes. Defaults to 4 MiB; a longer one gets a 413.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Limits the request line and headers of a request, in bytes.
    ///
    /// Defaults to 64 KiB, at least 8 KiB; longer ones get a 431.
    #[must_use]
    pub fn max_header_bytes(mut self, bytes: usize) -> Self {
        self.max_header_bytes = bytes.max(8 * 1024);
        self
    }

    /// Limits open connections. Defaults to 4096; more wait to be accepted.
    ///
    /// A connection carries one request at a time, so this also limits requests in
    /// flight. One address gets three quarters; more from it get a 503.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Limits requests that are served at once. Defaults to 4096; more get a 503.
    ///
    /// As many calls run at once, counting those whose client is gone. One caller gets
    /// three quarters, and a session 256 calls. Cancelling a call and ending a session
    /// always work.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.max_requests = requests.max(1);
        self
    }

    /// Limits open streams that wait for notifications. Defaults to 2048; more get a 503.
    ///
    /// They are counted separately from requests, so that clients that only listen
    /// do not block those that call. Each takes a connection, so this should be less
    /// than [`max_connections`](Self::max_connections). One caller gets three quarters.
    #[must_use]
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.max_streams = streams.max(1);
        self
    }

    /// Limits the time until a connection has sent the headers of its next request,
    /// idle time included. Defaults to 30 seconds.
    #[must_use]
    pub fn header_read_timeout(mut self, timeout: Duration) -> Self {
        self.header_read_timeout = timeout;
        self
    }

    /// Limits the time in which a body arrives. Defaults to 30 seconds, then a 408 is sent.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// Closes a connection whose client reads nothing for this long. Defaults to 30 seconds.
    #[must_use]
    pub fn write_timeout(mut self, timeout: Duration) -> Self {
        self.write_timeout = timeout;
        self
    }

    /// Sets after how long a silent stream gets a comment. Defaults to 15 seconds.
    ///
    /// It keeps proxies from closing the connection. For the same reason the response
    /// to a call that takes this long, or nearly, becomes a stream.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = interval.max(Duration::from_millis(1));
        self
    }

    /// Sets how often the token of an open stream is validated again. Defaults to
    /// 60 seconds.
    ///
    /// The stream ends once the token is invalid or belongs to another principal.
    #[must_use]
    pub fn token_recheck_interval(mut self, interval: Duration) -> Self {
        self.token_recheck_interval = interval.max(Duration::from_millis(1));
        self
    }

    /// Sets when a client should reconnect after a broken stream: the `retry` field
    /// of server-sent events. Defaults to 1 second.
    #[must_use]
    pub fn sse_retry(mut self, delay: Duration) -> Self {
        self.sse_retry = delay;
        self
    }

    /// Ends a session without a request, a call or a stream for this long. Defaults to
    /// 30 minutes.
    #[must_use]
    pub fn session_idle_timeout(mut self, timeout: Duration) -> Self {
        self.session_idle_timeout = timeout;
        self
    }

    /// Limits open sessions. Defaults to 10,000; the least recently used ones are ended.
    ///
    /// A caller that has three quarters of them loses its own.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions.max(1);
        self
    }

    /// Limits the events that a session stores for reconnecting clients, in bytes.
    /// Defaults to 1 MiB.
    ///
    /// An event is dropped once this many bytes came after it, whatever its own length.
    /// All sessions together store 128 times as much, of which one caller gets three
    /// quarters. The limit also holds for events that wait for a slow reader; a response always
    /// waits.
    #[must_use]
    pub fn event_buffer(mut self, bytes: usize) -> Self {
        self.event_buffer = bytes;
        self
    }

    /// Limits the time that calls in flight get when the server stops. Defaults to
    /// 10 seconds.
    #[must_use]
    pub fn shutdown_timeout(mut self, timeout: Duration) -> Self {
        self.shutdown_timeout = timeout;
        self
    }

    /// Also serves the transport of 2024-11-05 (HTTP with SSE) at the same path.
    ///
    /// That transport is deprecated since 2025-03-26. Off by default.
    #[must_use]
    pub fn http_with_sse(mut self) -> Self {
        self.http_with_sse = true;
        self
    }

    pub(crate) fn endpoint_path(&self) -> &str {
        &self.path
    }
}
