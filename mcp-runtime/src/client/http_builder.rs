use std::future::Future;
use std::io;

use http::header;
use tokio::io::{AsyncRead, AsyncWrite};

use super::http::{ByteStream, HttpClientTransport};
use super::inbox::Inbox;
use super::{Client, ClientBuilder, ClientError};

/// The options and the connection of a client over HTTP.
impl ClientBuilder {
    /// Sends a bearer token with every request over HTTP (RFC 6750).
    ///
    /// The client never includes the token in logs or errors. See [`http`](Self::http) for an
    /// example.
    pub fn bearer(mut self, token: &str) -> Self {
        let value = format!("Bearer {token}");
        self.http.add_header(Ok(header::AUTHORIZATION), &value);
        self
    }

    /// Sends a header with every request over HTTP. The client treats the value as a secret.
    ///
    /// You cannot replace headers that the protocol defines.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name = name
            .parse()
            .map_err(|_| "the name of a header is not valid");
        self.http.add_header(name, value);
        self
    }

    /// Sets the function that opens connections. Use it for TLS, a proxy or a Unix socket.
    ///
    /// The client calls `connect` with the host and the port of the URL. With a connector, the URL
    /// may start with `https://`.
    ///
    /// # Examples
    /// ```no_run
    /// use mcp_runtime::Client;
    /// # async fn example() -> Result<(), mcp_runtime::ClientError> {
    /// let client = Client::builder()
    ///     .connector(|_, _| tokio::net::UnixStream::connect("/run/my-server.sock"))
    ///     .http("http://localhost/mcp")
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn connector<F, A, C>(mut self, connect: F) -> Self
    where
        F: Fn(String, u16) -> A + Send + Sync + 'static,
        A: Future<Output = io::Result<C>> + Send + 'static,
        C: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        self.http.connector = Some(Box::new(move |host, port| {
            let stream = connect(host, port);
            Box::pin(async move { Ok(Box::new(stream.await?) as Box<dyn ByteStream>) })
        }));
        self
    }

    /// Connects to a server over Streamable HTTP.
    ///
    /// A URL that starts with `https://` requires a [`connector`](Self::connector). Call this
    /// function inside a tokio runtime.
    ///
    /// In protocol version 2026-07-28, the client repeats arguments whose schema has `x-mcp-header`
    /// in HTTP headers. It only does so for tools that [`list_tools`](Client::list_tools) has
    /// returned.
    ///
    /// # Errors
    /// Returns [`ClientError::InvalidConfig`] if the URL or a header is invalid,
    /// [`ClientError::Connect`] or [`ClientError::Http`] if the server cannot be reached or rejects
    /// a request, or another error if the handshake fails.
    ///
    /// # Examples
    /// ```no_run
    /// # async fn example() -> Result<(), mcp_runtime::ClientError> {
    /// let client = mcp_runtime::Client::builder()
    ///     .bearer("a token")
    ///     .http("http://127.0.0.1:8080/mcp")
    ///     .await?;
    /// println!("{}", client.list_tools().await?.len());
    /// client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn http(mut self, url: &str) -> Result<Client, ClientError> {
        let settings = std::mem::take(&mut self.http);
        self.open(|connection| {
            let transport = HttpClientTransport::new(url, settings, Inbox::new(connection))?;
            Ok(Box::new(transport))
        })
        .await
    }
}
