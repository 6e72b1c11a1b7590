//! The macros [`main!`](crate::main!) and [`server!`](crate::server!), and what they call.

use std::error::Error as StdError;
use std::future::Future;
use std::io::{self, Write};
use std::pin::Pin;
use std::process::ExitCode;

use tokio::runtime::{Builder, Runtime};

#[cfg(feature = "cli")]
use crate::cli::CommandLine;
use crate::error::Error;
use crate::server::Server;
use crate::transport::HandlerRuntime;

/// Creates a [`Server`] with the name and version of your crate.
///
/// The name is that of the binary, or of the package outside a binary.
///
/// ```
/// let server = mcp_runtime::server!().title("An example");
/// ```
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::new(
            match $crate::__private::option_env!("CARGO_BIN_NAME") {
                $crate::__private::Some(name) => name,
                $crate::__private::None => $crate::__private::env!("CARGO_PKG_NAME"),
            },
            $crate::__private::env!("CARGO_PKG_VERSION"),
        )
    };
}

/// Generates the `main` function of a server, which serves, lists and calls its tools.
///
/// `main!()` suffices for a server without configuration. Otherwise, pass a closure that
/// configures the [`Server`]; it may use `?` and `.await`:
///
/// ```no_run
/// # use mcp_runtime::prelude::*;
/// # /// Returns the words.
/// # #[tool]
/// # fn words(words: &Words) -> String { words.0.clone() }
/// struct Words(String);
///
/// mcp_runtime::main!(|server| server
///     .title("Words")
///     .state(Words(std::fs::read_to_string("words.txt")?)));
/// ```
///
/// The program serves MCP on standard input and output. With the feature `cli`, it
/// also has the subcommands `tools`, `call` and `check`, and with `http` the option
/// `--http`; see `--help`. An error at the start is printed on stderr, and the exit code
/// is 1.
///
/// The closure runs in a multi-threaded tokio runtime. Without a closure, that runtime
/// starts with the first call.
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::run($crate::server!())
        }
    };
    (|$server:ident| $body:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::set_up_and_run(
                $crate::server!(),
                |$server: $crate::Server| async move { $crate::__private::Ok($body) },
            )
        }
    };
}

/// The error of the closure of [`main!`](crate::main!).
type BuildError = Box<dyn StdError + Send + Sync>;

/// Runs the command line of a server without a setup closure.
///
/// No user code runs on standard input and output before the first call, so the
/// multi-threaded runtime starts only then.
#[doc(hidden)]
pub fn run(server: Server) -> ExitCode {
    let command_line = CommandLine::parse();
    let runtime = match command_line.serves_stdio() {
        true => Builder::new_current_thread(),
        false => Builder::new_multi_thread(),
    };
    let program = async { command_line.run(server, HandlerRuntime::on_demand()).await };
    block_on(runtime, Box::pin(program))
}

/// Runs the command line of a server after its setup closure.
#[doc(hidden)]
pub fn set_up_and_run<F, A>(server: Server, set_up: F) -> ExitCode
where
    F: FnOnce(Server) -> A,
    A: Future<Output = Result<Server, BuildError>>,
{
    let setup = async { set_up(server).await.map_err(Error::Build) };
    run_after_setup(Box::pin(setup))
}

/// A type-erased setup, so that the code after it is not compiled again in each server's crate.
type SetupFuture<'a> = Pin<Box<dyn Future<Output = Result<Server, Error>> + 'a>>;

fn run_after_setup(setup: SetupFuture<'_>) -> ExitCode {
    let command_line = CommandLine::parse();
    if command_line.serves_stdio() {
        return exit_code(serve_stdio_after_setup(command_line, setup));
    }
    let program = async {
        command_line
            .run(setup.await?, HandlerRuntime::current())
            .await
    };
    block_on(Builder::new_multi_thread(), Box::pin(program))
}

/// Handlers run on the runtime of the setup, and this thread controls the server, so that
/// handlers that block every thread of theirs cannot keep the process from ending.
fn serve_stdio_after_setup(
    command_line: CommandLine,
    setup: SetupFuture<'_>,
) -> Result<ExitCode, Error> {
    let handlers = build(Builder::new_multi_thread())?;
    let server = handlers.block_on(setup)?;
    let runtime = HandlerRuntime::separate(&handlers);
    let control = build(Builder::new_current_thread())?;
    let result = control.block_on(Box::pin(command_line.run(server, runtime)));
    handlers.shutdown_background();
    control.shutdown_background();
    result
}

/// Boxed, since the future is large and would be copied on the stack.
type ProgramFuture<'a> = Pin<Box<dyn Future<Output = Result<ExitCode, Error>> + 'a>>;

fn block_on(runtime: Builder, program: ProgramFuture<'_>) -> ExitCode {
    let result = build(runtime).and_then(|runtime| {
        let result = runtime.block_on(program);
        // A blocked handler thread must not keep the process alive.
        runtime.shutdown_background();
        result
    });
    exit_code(result)
}

fn build(mut runtime: Builder) -> Result<Runtime, Error> {
    let built = runtime.enable_all().build();
    built.map_err(Error::io("starting the runtime"))
}

fn exit_code(result: Result<ExitCode, Error>) -> ExitCode {
    result.unwrap_or_else(|error| {
        // A closed standard error cannot be reported.
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::FAILURE
    })
}

/// Serves on standard input and output, without the feature `cli`.
#[cfg(not(feature = "cli"))]
struct CommandLine;

#[cfg(not(feature = "cli"))]
impl CommandLine {
    fn parse() -> Self {
        Self
    }

    fn serves_stdio(&self) -> bool {
        true
    }

    async fn run(self, server: Server, runtime: HandlerRuntime) -> Result<ExitCode, Error> {
        server.serve_stdio_on(runtime).await?;
        Ok(ExitCode::SUCCESS)
    }
}
