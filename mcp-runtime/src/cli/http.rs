use std::process::ExitCode;

use clap::Args;

use crate::error::Error;
use crate::server::Server;

/// What the command line says about HTTP.
#[derive(Args)]
pub(super) struct Http {
    /// Serve over HTTP at this address, e.g. `127.0.0.1:8080` or `unix:/run/server.sock`.
    #[arg(long = "http", value_name = "ADDRESS")]
    address: Option<String>,
    /// A name that clients reach the server by, besides those of this machine.
    #[arg(long, value_name = "HOST", requires = "address")]
    public_host: Vec<String>,
    /// Serve callers without tokens also where other machines reach the server.
    #[arg(long, requires = "address")]
    anonymous: bool,
    /// A web origin whose pages may use the server.
    #[arg(long, value_name = "ORIGIN", requires = "address")]
    allow_origin: Vec<String>,
}

impl Http {
    pub(super) fn is_wanted(&self) -> bool {
        self.address.is_some()
    }

    pub(super) async fn serve(self, server: Server) -> Result<ExitCode, Error> {
        let server = server.map_http(|mut options| {
            for host in self.public_host {
                options = options.public_host(host);
            }
            if self.anonymous {
                options = options.anonymous();
            }
            for origin in self.allow_origin {
                options = options.allow_origin(origin);
            }
            options
        });
        server
            .serve_http(&self.address.unwrap_or_default())
            .await
            .map(|()| ExitCode::SUCCESS)
    }
}
