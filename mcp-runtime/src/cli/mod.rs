//! The command line of a server: every server built with `main!` has it.

mod arguments;
mod call;
#[cfg(feature = "http")]
mod http;
mod log;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use arguments::{Arguments, Command};
use serde_json::json;

use crate::auth::Principal;
use crate::client::{Client, ClientError};
use crate::context::Channel;
use crate::dispatch::Dispatcher;
use crate::entry::Built;
use crate::error::Error;
use crate::protocol::Revision;

/// Does what the arguments of the process say.
pub(crate) async fn run(server: Built) -> Result<ExitCode, Error> {
    let arguments = Arguments::parse();
    let server = server.await?;
    log::install(arguments.command.is_none(), &server);
    match arguments.command {
        #[cfg(feature = "http")]
        None if arguments.http.is_wanted() => arguments.http.serve(server).await,
        None => server.serve_stdio().await.map(|()| ExitCode::SUCCESS),
        Some(command) => {
            let dispatcher = server.build()?;
            let user = dispatcher.local_user(Channel::Cli).await?;
            command
                .run(dispatcher, user)
                .await
                .map_err(|error| Error::Build(error.into()))
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
