use std::time::Duration;

/// The options of the HTTP transport, such as the allowed hosts and origins, limits and timeouts.
///
/// The defaults suit a server that only accepts connections from its own machine.
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
    /// Creates the default options, for a server that only accepts connections from its own
    /// machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the path of the endpoint. Defaults to `/mcp`. If you mount an
    /// [`HttpEndpoint`](super::HttpEndpoint) in your own HTTP server, that server's routes apply
    /// instead of this path.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Allows another value of the `Host` header, in addition to the loopback hosts.
    ///
    /// `example.com` allows every port, and `example.com:8443` allows only port 8443. A server that
    /// listens on an address other than loopback needs at least one public host.
    #[must_use]
    pub fn public_host(mut self, host: impl Into<String>) -> Self {
        self.public_hosts.push(host.into().to_ascii_lowercase());
        self
    }

    /// Serves unauthenticated callers even on an address that other machines can reach.
    ///
    /// Without this option, a server that listens on an address other than loopback needs
    /// [`Server::authenticate`](crate::Server::authenticate).
    #[must_use]
    pub fn allow_anonymous(mut self) -> Self {
        self.allow_anonymous = true;
        self
    }

    /// Allows every `Host` header. Use this option behind a proxy that checks the header.
    ///
    /// The server still checks the `Origin` header.
    #[must_use]
    pub fn any_host(mut self) -> Self {
        self.any_host = true;
        self
    }

    /// Allows web pages of an origin, such as `https://app.example.com`, and sends CORS headers to
    /// them.
    ///
    /// Pages from loopback hosts and from public hosts are always allowed.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into().to_ascii_lowercase());
        self
    }

    /// Limits the body of a request, in bytes. Defaults to 4 MiB. The server responds to a longer
    /// body with status 413.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// Limits the request line and headers of a request, in bytes.
    ///
    /// Defaults to 64 KiB. The minimum is 8 KiB. The server responds to longer headers with status
    /// 431.
    #[must_use]
    pub fn max_header_bytes(mut self, bytes: usize) -> Self {
        self.max_header_bytes = bytes.max(8 * 1024);
        self
    }

    /// Limits the number of open connections. Defaults to 4096. Further connections wait to be
    /// accepted.
    ///
    /// A connection carries one request at a time, and this option therefore also limits requests
    /// in flight. One client address can use three quarters of the connections. The server responds
    /// to further connections from that address with status 503.
    #[must_use]
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Limits the number of requests that the server handles at the same time. Defaults to 4096.
    /// The server responds to further requests with status 503.
    ///
    /// The same number limits the calls that run at the same time, including calls whose client has
    /// disconnected. One caller can use three quarters of the limit, and one session can run 256
    /// calls. The limit does not apply to requests that cancel a call or end a session.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.max_requests = requests.max(1);
        self
    }

    /// Limits the number of open streams that wait for notifications. Defaults to 2048. The server
    /// responds to further requests for a stream with status 503.
    ///
    /// The server counts these streams separately from requests, because clients that only listen
    /// must not block clients that call tools. Each stream uses a connection, and therefore this
    /// limit should be lower than [`max_connections`](Self::max_connections). One caller can use
    /// three quarters of the streams.
    #[must_use]
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.max_streams = streams.max(1);
        self
    }

    /// Limits the time until a client has sent the headers of the next request on a connection. The
    /// time includes idle time. Defaults to 30 seconds.
    #[must_use]
    pub fn header_read_timeout(mut self, timeout: Duration) -> Self {
        self.header_read_timeout = timeout;
        self
    }

    /// Limits the time for receiving the body of a request. Defaults to 30 seconds. After that
    /// time, the server responds with status 408.
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// Sets the time after which the server closes a connection whose client reads nothing.
    /// Defaults to 30 seconds.
    #[must_use]
    pub fn write_timeout(mut self, timeout: Duration) -> Self {
        self.write_timeout = timeout;
        self
    }

    /// Sets the time after which the server sends a comment on a silent stream. Defaults to 15
    /// seconds.
    ///
    /// The comment keeps proxies from closing the connection. For the same reason, the server
    /// responds with a stream to a call that takes about this long or longer.
    #[must_use]
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.keep_alive = interval.max(Duration::from_millis(1));
        self
    }

    /// Sets the interval at which the server validates the token of an open stream again. Defaults
    /// to 60 seconds.
    ///
    /// The stream ends if the token has become invalid or belongs to another principal.
    #[must_use]
    pub fn token_recheck_interval(mut self, interval: Duration) -> Self {
        self.token_recheck_interval = interval.max(Duration::from_millis(1));
        self
    }

    /// Sets the time after which a client should reconnect if its stream breaks. The server sends
    /// the time in the `retry` field of server-sent events. Defaults to 1 second.
    #[must_use]
    pub fn sse_retry(mut self, delay: Duration) -> Self {
        self.sse_retry = delay;
        self
    }

    /// Sets the time after which the server ends a session that has no request, call or stream.
    /// Defaults to 30 minutes.
    #[must_use]
    pub fn session_idle_timeout(mut self, timeout: Duration) -> Self {
        self.session_idle_timeout = timeout;
        self
    }

    /// Limits the number of open sessions. Defaults to 10,000. When the limit is reached, the
    /// server ends the least recently used sessions.
    ///
    /// If one caller has three quarters of the sessions, the server ends sessions of that caller.
    #[must_use]
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.max_sessions = sessions.max(1);
        self
    }

    /// Limits the events that a session stores for reconnecting clients, in bytes. Defaults to 1
    /// MiB.
    ///
    /// The session drops an event when the events after it have at least this many bytes. All
    /// sessions together store at most 128 times the limit, and one caller can use three quarters
    /// of that. The same limit applies to events that wait for a slow reader, but not to a
    /// response.
    #[must_use]
    pub fn event_buffer(mut self, bytes: usize) -> Self {
        self.event_buffer = bytes;
        self
    }

    /// Limits the time that calls in flight may continue after the server starts to shut down.
    /// Defaults to 10 seconds.
    #[must_use]
    pub fn shutdown_timeout(mut self, timeout: Duration) -> Self {
        self.shutdown_timeout = timeout;
        self
    }

    /// Also serves the HTTP with SSE transport (protocol version 2024-11-05) at the same path.
    ///
    /// Protocol version 2025-03-26 deprecated that transport. It is off by default.
    #[must_use]
    pub fn http_with_sse(mut self) -> Self {
        self.http_with_sse = true;
        self
    }

    pub(crate) fn endpoint_path(&self) -> &str {
        &self.path
    }
}
