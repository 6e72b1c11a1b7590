use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};

use super::option_values::take_values;
use crate::error::Error;
use crate::server::Server;
use crate::transport::StderrForwarder;

/// The command-line arguments for the HTTP transport.
#[derive(Default)]
pub(super) struct HttpArgs {
    address: Option<String>,
    public_hosts: Vec<String>,
    anonymous: bool,
    origins: Vec<String>,
}

impl HttpArgs {
    pub(super) fn arguments() -> [Arg; 4] {
        let repeated = |id: &'static str, value| {
            let argument = Arg::new(id).long(id).value_name(value).requires("http");
            argument.action(ArgAction::Append)
        };
        [
            Arg::new("http").long("http").value_name("ADDRESS").help(
                "Serve over HTTP at this address, e.g. `127.0.0.1:8080` or \
                 `unix:/run/server.sock`",
            ),
            repeated("public-host", "HOST")
                .help("A host name that clients use, besides those of this machine"),
            Arg::new("anonymous")
                .long("anonymous")
                .requires("http")
                .action(ArgAction::SetTrue)
                .help("Serve unauthenticated callers even on an address that other machines reach"),
            repeated("allow-origin", "ORIGIN").help("A web origin whose pages may use the server"),
        ]
    }

    pub(super) fn from_matches(mut matches: ArgMatches) -> Self {
        Self {
            address: matches.remove_one("http"),
            public_hosts: take_values(&mut matches, "public-host"),
            anonymous: matches.get_flag("anonymous"),
            origins: take_values(&mut matches, "allow-origin"),
        }
    }

    pub(super) fn is_requested(&self) -> bool {
        self.address.is_some()
    }

    pub(super) async fn serve(self, server: Server) -> Result<ExitCode, Error> {
        let server = server.map_http(|mut options| {
            for host in self.public_hosts {
                options = options.public_host(host);
            }
            if self.anonymous {
                options = options.allow_anonymous();
            }
            for origin in self.origins {
                options = options.allow_origin(origin);
            }
            options
        });
        // Keep the forwarder until the server has stopped.
        let stderr = StderrForwarder::install()?;
        stderr.start();
        server
            .serve_http(&self.address.unwrap_or_default())
            .await
            .map(|()| ExitCode::SUCCESS)
    }
}
