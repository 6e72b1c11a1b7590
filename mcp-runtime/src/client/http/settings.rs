use std::fmt;
use std::future::Future;
use std::io;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio::io::{AsyncRead, AsyncWrite};

use super::HttpLink;
use super::connections::{Connector, Io};
use crate::client::{Client, ClientBuilder, ClientError};

/// What a client over HTTP is told before it connects.
pub(in crate::client) struct Settings {
    pub(super) connector: Option<Connector>,
    /// What the user adds to every request, or why that is not possible.
    pub(super) headers: Result<HeaderMap, &'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connector: None,
            headers: Ok(HeaderMap::new()),
        }
    }
}

impl Settings {
    fn add(&mut self, name: Result<HeaderName, &'static str>, value: &str) {
        let Ok(headers) = &mut self.headers else {
            return;
        };
        let value = HeaderValue::from_str(value).map_err(|_| "a header holds what none can");
        match name.and_then(|name| Ok((name, value?))) {
            Ok((name, mut value)) => {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
            Err(reason) => self.headers = Err(reason),
        }
    }
}

impl fmt::Debug for Settings {
    /// Without the headers, which may be secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Settings").finish_non_exhaustive()
    }
}

/// Over HTTP.
impl ClientBuilder {
    /// Sends a bearer token with every request over HTTP (RFC 6750).
    ///
    /// It is in no log and no error of the client.
    pub fn bearer(mut self, token: &str) -> Self {
        let value = format!("Bearer {token}");
        self.http.add(Ok(header::AUTHORIZATION), &value);
        self
    }

    /// Sends a header with every request over HTTP, as a secret.
    ///
    /// The headers of the protocol cannot be replaced.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name = name
            .parse()
            .map_err(|_| "a header has a name that none can");
        self.http.add(name, value);
        self
    }

    /// Opens the connections over HTTP, for TLS, a proxy, or a Unix socket.
    ///
    /// It is given the host and the port of the address. With a connector the
    /// address may begin with `https://`.
    ///
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
            let connecting = connect(host, port);
            Box::pin(async move { Ok(Box::new(connecting.await?) as Box<dyn Io>) })
        }));
        self
    }

    /// Connects to a server over Streamable HTTP.
    ///
    /// Plain `http://` is here; TLS is brought by a [`connector`](Self::connector)
    /// or by a proxy. In 2026-07-28, arguments whose schema names a header are
    /// repeated in it for the tools that [`list_tools`](Client::list_tools) has given.
    ///
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
    ///
    /// # Errors
    /// [`ClientError::Address`], [`ClientError::Connect`], [`ClientError::Http`],
    /// and those of the handshake.
    pub async fn http(mut self, url: &str) -> Result<Client, ClientError> {
        let settings = std::mem::take(&mut self.http);
        self.open(|connection| {
            let link = HttpLink::new(url, settings, connection.inbox())?;
            Ok(Box::new(link))
        })
        .await
    }
}
