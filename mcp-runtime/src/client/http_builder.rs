use std::future::Future;
use std::io;

use http::header;
use tokio::io::{AsyncRead, AsyncWrite};

use super::http::{ByteStream, HttpClientTransport};
use super::inbox::Inbox;
use super::{Client, ClientBuilder, ClientError};

/// Connections over HTTP.
impl ClientBuilder {
    /// Sends a bearer token with every request over HTTP (RFC 6750).
    ///
    /// No log and no error of the client contains it. See [`http`](Self::http) for an
    /// example.
    pub fn bearer(mut self, token: &str) -> Self {
        let value = format!("Bearer {token}");
        self.http.add_header(Ok(header::AUTHORIZATION), &value);
        self
    }

    /// Sends a header with every request over HTTP. Its value is treated as a secret.
    ///
    /// The headers of the protocol cannot be replaced.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name = name
            .parse()
            .map_err(|_| "the name of a header is not valid");
        self.http.add_header(name, value);
        self
    }

    /// Sets the function that opens connections, for TLS, a proxy, or a Unix socket.
    ///
    /// It is called with the host and the port of the URL, which may start with
    /// `https://`.
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
    /// Only `http://` is supported without a [`connector`](Self::connector). In
    /// 2026-07-28, headers repeat the arguments whose schema has `x-mcp-header`, for the
    /// tools that [`list_tools`](Client::list_tools) has returned. Call it inside a tokio
    /// runtime.
    ///
    /// # Errors
    /// [`ClientError::InvalidConfig`], [`ClientError::Connect`], [`ClientError::Http`],
    /// or those of the handshake.
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
