//! The `main` function of a server.

use std::error::Error as StdError;
use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;

use tokio::runtime::Builder;

#[cfg(feature = "cli")]
use crate::cli::Arguments;
use crate::error::Error;
use crate::server::Server;
use crate::transport::Workers;

/// A [`Server`] named after the crate that this is written in.
///
/// The name is that of the binary, or of the package where there is no binary.
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

/// The `main` function of a server: serves, lists and calls its tools.
///
/// `main!()` is enough where no state is needed. Otherwise it takes what to do
/// with the server before it starts, where `?` and `.await` may be used:
///
/// ```no_run
/// # use mcp_runtime::prelude::*;
/// # /// Tells.
/// # #[tool]
/// # fn tell(words: &Words) -> String { words.0.clone() }
/// struct Words(String);
///
/// mcp_runtime::main!(|server| server
///     .title("Words")
///     .state(Words(std::fs::read_to_string("words.txt")?)));
/// ```
///
/// The program speaks MCP on standard input and output. With the feature `cli`
/// it also has the commands `tools`, `call` and `check`; see `--help`.
/// An error at the start is one message on stderr and exit code 1.
///
/// Whatever is in the parentheses runs in a tokio runtime of many threads. Where
/// there is nothing, those threads start with the first call, also for a body
/// that is a plain `fn`.
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

/// The error of a server's own set-up.
type BuildError = Box<dyn StdError + Send + Sync>;

/// Does with the server what the command line says.
///
/// On standard input and output nothing of the user's runs before a first call,
/// so the threads of tokio are not started before one.
#[doc(hidden)]
pub fn run(server: Server) -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = match arguments.serve_stdio() {
        true => Builder::new_current_thread(),
        false => Builder::new_multi_thread(),
    };
    let running = async { arguments.run(server, Workers::on_demand()).await };
    complete(runtime, Box::pin(running))
}

/// Sets the server up, which may use tokio, and does with it what the command
/// line says.
#[doc(hidden)]
pub fn set_up_and_run<F, A>(server: Server, set_up: F) -> ExitCode
where
    F: FnOnce(Server) -> A,
    A: Future<Output = Result<Server, BuildError>>,
{
    let built = async { set_up(server).await.map_err(Error::Build) };
    run_built(Box::pin(built))
}

/// A server that is still to be built, without the type of what builds it: what is
/// done with it is not compiled again in the crate of each server.
type Built<'a> = Pin<Box<dyn Future<Output = Result<Server, Error>> + 'a>>;

fn run_built(built: Built<'_>) -> ExitCode {
    let arguments = Arguments::parse();
    let running = async { arguments.run(built.await?, Workers::current()).await };
    complete(Builder::new_multi_thread(), Box::pin(running))
}

/// What is run is large, and boxed so that the stack is not touched for each copy.
type Running<'a> = Pin<Box<dyn Future<Output = Result<ExitCode, Error>> + 'a>>;

fn complete(mut runtime: Builder, running: Running<'_>) -> ExitCode {
    let ended = match runtime.enable_all().build() {
        Ok(runtime) => {
            let ended = runtime.block_on(running);
            // A thread that is stuck in a handler must not keep the process.
            runtime.shutdown_background();
            ended
        }
        Err(source) => Err(Error::Io {
            doing: "starting the runtime",
            source,
        }),
    };
    ended.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Where the binary has no commands, it serves.
#[cfg(not(feature = "cli"))]
struct Arguments;

#[cfg(not(feature = "cli"))]
impl Arguments {
    fn parse() -> Self {
        Self
    }

    fn serve_stdio(&self) -> bool {
        true
    }

    async fn run(self, server: Server, workers: Workers) -> Result<ExitCode, Error> {
        server.serve_stdio_on(workers).await?;
        Ok(ExitCode::SUCCESS)
    }
}
