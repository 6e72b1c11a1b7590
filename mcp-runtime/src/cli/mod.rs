//! The command line of a server that uses [`main!`](crate::main!).

mod call;
mod command_line;
#[cfg(feature = "http")]
mod http;
mod log;
mod option_values;
mod output;

use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use command_line::CommandLine;
use command_line::Subcommand;
use output::print;
use serde_json::json;

use crate::auth::Principal;
use crate::client::{Client, ClientError};
use crate::context::TransportKind;
use crate::dispatch::Dispatcher;
use crate::error::Error;
use crate::protocol::Revision;
use crate::registry::{Definition, DefinitionMap};
use crate::server::Server;
use crate::testing::lint_tools;
use crate::transport::HandlerRuntime;

impl CommandLine {
    /// Runs the subcommand, or the server if there is no subcommand. A server on standard input and
    /// output runs its handlers on `runtime`.
    pub(crate) async fn run(
        self,
        server: Server,
        runtime: HandlerRuntime,
    ) -> Result<ExitCode, Error> {
        log::install(self.command.is_none(), &server);
        match self.command {
            #[cfg(feature = "http")]
            None if self.http.is_requested() => Box::pin(self.http.serve(server)).await,
            None => server
                .serve_stdio_on(runtime)
                .await
                .map(|()| ExitCode::SUCCESS),
            Some(command) => {
                let dispatcher = server.build()?;
                let user = dispatcher
                    .authenticate_local_user(TransportKind::Cli)
                    .await?;
                let result = Box::pin(command.run(dispatcher, user)).await;
                result.map_err(|error| Error::Build(error.into()))
            }
        }
    }
}

impl Subcommand {
    async fn run(
        self,
        dispatcher: Dispatcher,
        user: Option<Arc<Principal>>,
    ) -> Result<ExitCode, ClientError> {
        let snapshot = dispatcher.core().server.registry.snapshot();
        let connect = async |revision| {
            let builder = Client::builder().revision(revision);
            let builder = match user {
                Some(user) => builder.principal(Principal::clone(&user)),
                None => builder,
            };
            builder.connect_as(TransportKind::Cli, dispatcher).await
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
                let tools: Vec<_> = snapshot.tools.iter().map(|tool| &**tool).collect();
                for finding in lint_tools(tools.iter().copied()) {
                    eprintln!("warning: {finding}");
                }
                let mut failed = false;
                for tool in &tools {
                    for error in tool.meta().arguments.type_errors() {
                        eprintln!("error: tool `{}`, {error}", tool.meta().name);
                        failed = true;
                    }
                }
                if failed {
                    return Ok(ExitCode::FAILURE);
                }
                print_names("tools", &snapshot.tools);
                print_names("prompts", &snapshot.prompts);
                print_names("resources", &snapshot.resources);
                print_names("resource templates", &snapshot.templates);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints the names of all definitions, including definitions that require permission.
fn print_names<T: Definition>(kind: &str, definitions: &DefinitionMap<T>) {
    let names: Vec<&str> = definitions.iter().map(|it| &*it.meta().name).collect();
    if !names.is_empty() {
        print(&format!("{} {kind}: {}", names.len(), names.join(", ")));
    }
}
