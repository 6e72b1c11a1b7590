use std::future::Future;

use tokio::sync::oneshot;

use super::Server;
use crate::error::Error;
use crate::transport::{self, HttpEndpoint, HttpListener, HttpOptions};

impl Server {
    /// Sets the options of the HTTP transport, such as allowed hosts, limits and timeouts.
    ///
    /// See [`HttpOptions`] for an example.
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.http = options;
        self
    }

    /// Changes some options of the HTTP transport and keeps the others.
    #[must_use]
    pub fn map_http(mut self, adjust: impl FnOnce(HttpOptions) -> HttpOptions) -> Self {
        self.http = adjust(self.http);
        self
    }

    /// Serves clients over HTTP until the process receives SIGTERM or Ctrl-C.
    ///
    /// After the signal, the server waits up to [`HttpOptions::shutdown_timeout`] for requests in
    /// flight. A second signal closes their connections at once.
    ///
    /// `address` is a host and a port, or `unix:` followed by the path of a Unix domain socket.
    ///
    /// ```no_run
    /// # async fn start() -> Result<(), mcp_runtime::Error> {
    /// mcp_runtime::server!().serve_http("127.0.0.1:8080").await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if [`build`](Self::build) fails or the operating system cannot bind the
    /// address. If other machines can reach the address, the server must have a public host name
    /// ([`Error::NoPublicHost`]) and authentication ([`Error::PublicWithoutAuth`]).
    pub async fn serve_http(self, address: &str) -> Result<(), Error> {
        let path = self.http.endpoint_path().to_owned();
        let endpoint = self.http_endpoint()?;
        let listener = HttpListener::bind(address).await?;
        match listener.local_addr() {
            Some(bound) => tracing::info!("listening on http://{bound}{path}"),
            None => tracing::info!("listening on {address}{path}"),
        }
        let (stop, stopping) = oneshot::channel();
        let signal = transport::shutdown_signal();
        let again = async {
            signal.await;
            // Sending fails only if the server has already stopped.
            let _ = stop.send(());
            transport::shutdown_signal().await;
        };
        tokio::select! {
            served = endpoint.serve(listener, async { drop(stopping.await) }) => served,
            () = again => {
                tracing::warn!("a second signal; closing all connections at once");
                Ok(())
            }
        }
    }

    /// Serves clients over HTTP until `stop` completes. The server then waits up to
    /// [`HttpOptions::shutdown_timeout`] for requests in flight.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`serve_http`](Self::serve_http).
    pub async fn serve_http_on(
        self,
        listener: HttpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        self.http_endpoint()?.serve(listener, stop).await
    }

    /// Builds the server as a `tower` service that you mount in your own HTTP server.
    ///
    /// See [`HttpEndpoint`] for an example.
    ///
    /// # Errors
    /// Returns an error if [`build`](Self::build) fails.
    pub fn http_endpoint(self) -> Result<HttpEndpoint, Error> {
        let options = self.http.clone();
        Ok(HttpEndpoint::new(self.build()?, options))
    }
}
