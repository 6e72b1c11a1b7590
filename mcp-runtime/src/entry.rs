//! The macros [`main!`](crate::main!) and [`server!`](crate::server!), and the functions that they
//! call.

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
/// The server has the name of the binary, or of the package if the macro is used outside a binary.
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

/// Generates the `main` function of a server.
///
/// Write `main!()` for a server without configuration. Otherwise, pass a closure that configures
/// the [`Server`]. The closure may use `?` and `.await`:
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
/// The program serves MCP on standard input and output. With the feature `cli`, it also has the
/// subcommands `tools`, `call` and `check`, and the option `--help`. With the feature `http` as
/// well, it has the option `--http`. If the server cannot start, the program prints the error on
/// stderr and exits with code 1.
///
/// The closure runs in a multi-threaded tokio runtime. Without a closure, the program starts that
/// runtime at the first call.
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

/// An error that the closure of [`main!`](crate::main!) returned.
type BuildError = Box<dyn StdError + Send + Sync>;

/// Runs the command line of a server without a setup closure.
///
/// A server on standard input and output runs no user code before the first call, so it starts the
/// multi-threaded runtime only then.
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

/// Runs the setup closure of a server, and then its command line.
#[doc(hidden)]
pub fn set_up_and_run<F, A>(server: Server, set_up: F) -> ExitCode
where
    F: FnOnce(Server) -> A,
    A: Future<Output = Result<Server, BuildError>>,
{
    let setup = async { set_up(server).await.map_err(Error::Build) };
    run_after_setup(Box::pin(setup))
}

/// The future of a setup closure. Its type is erased, so the crate of each server does not compile
/// the code after the setup again.
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

/// Serves on standard input and output after the setup closure has run.
///
/// Handlers run on the runtime of the setup closure, while this thread controls the server. The
/// process can therefore end even if handlers block all threads of that runtime.
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

/// The boxed future of a program. Without the box, calls would copy the large future on the stack.
type ProgramFuture<'a> = Pin<Box<dyn Future<Output = Result<ExitCode, Error>> + 'a>>;

fn block_on(runtime: Builder, program: ProgramFuture<'_>) -> ExitCode {
    let result = build(runtime).and_then(|runtime| {
        let result = runtime.block_on(program);
        // Do not wait for blocked handler threads, because they would keep the process alive.
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
        // The program cannot report that standard error is closed.
        let _ = writeln!(io::stderr(), "error: {error}");
        ExitCode::FAILURE
    })
}

/// The command line of a server without the feature `cli`, which only serves on standard input and
/// output.
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
