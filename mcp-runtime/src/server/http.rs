use std::future::Future;

use super::Server;
use crate::error::Error;
use crate::transport::{self, HttpEndpoint, HttpListener, HttpOptions};

impl Server {
    /// How the server is reached over HTTP, and the bounds of it.
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.http = options;
        self
    }

    /// Adjusts the options for HTTP, as the command line does.
    #[must_use]
    pub fn map_http(mut self, adjust: impl FnOnce(HttpOptions) -> HttpOptions) -> Self {
        self.http = adjust(self.http);
        self
    }

    /// Serves clients over HTTP until the process is told to stop by SIGTERM or Ctrl-C.
    ///
    /// `address` is `127.0.0.1:8080`, or `unix:` and a path.
    ///
    /// ```no_run
    /// # async fn start() -> Result<(), mcp_runtime::Error> {
    /// mcp_runtime::server!().serve_http("127.0.0.1:8080").await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of [`build`](Self::build) and of the operating system, and
    /// [`Error::NoPublicHost`] or [`Error::OpenToAll`] for an address that other
    /// machines reach.
    pub async fn serve_http(self, address: &str) -> Result<(), Error> {
        let path = self.http.path_of().to_owned();
        let endpoint = self.http_endpoint()?;
        let listener = HttpListener::bind(address).await?;
        match listener.local_addr() {
            Some(bound) => tracing::info!("listening on http://{bound}{path}"),
            None => tracing::info!("listening on {address}{path}"),
        }
        endpoint.serve(listener, transport::stopped()).await
    }

    /// Serves clients over HTTP until `stop` completes, and what is in flight is done.
    ///
    /// # Errors
    /// As [`serve_http`](Self::serve_http).
    pub async fn serve_http_on(
        self,
        listener: HttpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        self.http_endpoint()?.serve(listener, stop).await
    }

    /// The endpoint alone, to mount in an HTTP server of your own.
    ///
    /// # Errors
    /// Those of [`build`](Self::build).
    pub fn http_endpoint(self) -> Result<HttpEndpoint, Error> {
        let options = self.http.clone();
        Ok(HttpEndpoint::new(self.build()?, options))
    }
}
