//! The `main` function of a server.

use std::error::Error as StdError;
use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;

use crate::error::Error;
use crate::server::Server;

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
#[macro_export]
macro_rules! main {
    () => {
        $crate::main!(|server| server);
    };
    (|$server:ident| $body:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::run($crate::server!(), |$server: $crate::Server| async move {
                $crate::__private::Ok($body)
            })
        }
    };
}

/// The error of a server's own set-up.
type BuildError = Box<dyn StdError + Send + Sync>;

/// A server that is still to be built, without the type of what builds it.
pub(crate) type Built = Pin<Box<dyn Future<Output = Result<Server, Error>>>>;

/// Builds the server and does what the command line says.
///
/// This is all that is compiled again in the crate of each server.
#[doc(hidden)]
pub fn run<F, A>(server: Server, build: F) -> ExitCode
where
    F: FnOnce(Server) -> A + 'static,
    A: Future<Output = Result<Server, BuildError>> + 'static,
{
    serve(Box::pin(async {
        build(server).await.map_err(Error::Build)
    }))
}

fn serve(built: Built) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(source) => {
            return fail(&Error::Io {
                doing: "starting the runtime",
                source,
            });
        }
    };
    let ended = runtime.block_on(start(built));
    // A thread that is stuck in a handler must not keep the process.
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(error) => fail(&error),
    }
}

#[cfg(feature = "cli")]
async fn start(server: Built) -> Result<ExitCode, Error> {
    crate::cli::run(server).await
}

#[cfg(not(feature = "cli"))]
async fn start(server: Built) -> Result<ExitCode, Error> {
    server.await?.serve_stdio().await?;
    Ok(ExitCode::SUCCESS)
}

fn fail(error: &Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
