//! The command line of a server: every server built with `main!` has it.

mod arguments;
mod call;
#[cfg(feature = "http")]
mod http;
mod log;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use arguments::Arguments;
use arguments::Command;
use serde_json::json;

use crate::auth::Principal;
use crate::client::{Client, ClientError};
use crate::context::Channel;
use crate::dispatch::Dispatcher;
use crate::error::Error;
use crate::protocol::Revision;
use crate::server::Server;
use crate::transport::Workers;

impl Arguments {
    /// Does what the arguments of the process say; bodies of calls over standard
    /// input and output run on `workers`.
    pub(crate) async fn run(self, server: Server, workers: Workers) -> Result<ExitCode, Error> {
        log::install(self.command.is_none(), &server);
        match self.command {
            #[cfg(feature = "http")]
            None if self.http.is_wanted() => Box::pin(self.http.serve(server)).await,
            None => server
                .serve_stdio_on(workers)
                .await
                .map(|()| ExitCode::SUCCESS),
            Some(command) => {
                let dispatcher = server.build()?;
                let user = dispatcher.local_user(Channel::Cli).await?;
                let ran = Box::pin(command.run(dispatcher, user)).await;
                ran.map_err(|error| Error::Build(error.into()))
            }
        }
    }
}

impl Command {
    async fn run(
        self,
        dispatcher: Dispatcher,
        user: Option<Arc<Principal>>,
    ) -> Result<ExitCode, ClientError> {
        let connect = async |revision| {
            let builder = Client::builder().revision(revision);
            let builder = match user {
                Some(user) => builder.principal(Principal::clone(&user)),
                None => builder,
            };
            builder.through(Channel::Cli, dispatcher).await
        };
        match self {
            Self::Tools { revision } => {
                let client = connect(revision).await?;
                let list = client.request("tools/list", json!({})).await?;
                print(&serde_json::to_string_pretty(&list)?);
            }
            Self::Call {
                name,
                arguments,
                dry_run,
            } => {
                let client = connect(Revision::NEWEST).await?;
                return call::run(&client, &name, &arguments, dry_run).await;
            }
            Self::Check => {
                let client = connect(Revision::NEWEST).await?;
                let tools = client.list_tools().await?;
                let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
                print(&format!("{} tools: {}", names.len(), names.join(", ")));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints a line; a reader that has gone away is no error.
fn print(line: &str) {
    let _ = writeln!(io::stdout().lock(), "{line}");
}
