//! The stdio transport: newline-delimited messages on standard input and output
//! (specification, *Transports*, *stdio*).
//!
//! A pool of threads reads the input ([`leader_followers`]) instead of tokio, so that a
//! call that completes at once costs little more than one read and one write.

mod fd_redirect;
mod handler_runtime;
mod leader_followers;
mod line_reader;
mod message_writer;
mod options;
mod stall_monitor;

use std::sync::Arc;

use super::signal::sigterm;
use crate::context::{ClientSink, TransportKind};
use crate::dispatch::{Connection, Dispatcher};
use crate::error::Error;
use fd_redirect::RedirectedStdio;
pub(crate) use handler_runtime::HandlerRuntime;
use leader_followers::WorkerPool;
use line_reader::LineReader;
use message_writer::MessageWriter;
pub use options::StdioOptions;

/// Serves until the client closes its end or the process receives SIGTERM.
///
/// Calls in flight may finish within `options.shutdown_timeout`. Threads that are blocked in
/// a handler after that end with the process.
pub(crate) async fn serve(
    dispatcher: Dispatcher,
    options: StdioOptions,
    runtime: HandlerRuntime,
) -> Result<(), Error> {
    let user = dispatcher
        .authenticate_local_user(TransportKind::Stdio)
        .await?;
    let stdio = RedirectedStdio::redirect().map_err(Error::io("redirecting stdin and stdout"))?;
    let lines = LineReader::new(stdio.input()?, options.max_line_bytes);
    let output = Arc::new(MessageWriter::new(stdio.output()?));
    let sink: Arc<dyn ClientSink> = Arc::<MessageWriter>::clone(&output);
    let connection = Connection::with_sink(TransportKind::Stdio, sink);
    let connection = connection.with_optional_principal(user.as_ref());
    let sigterm = sigterm();
    let pool = WorkerPool::start(
        lines,
        output,
        dispatcher.clone(),
        connection,
        options,
        runtime,
    );
    let reason = tokio::select! {
        () = pool.input_ended() => "end of input",
        name = sigterm => name,
    };
    tracing::debug!("{reason}; waiting for calls in flight");
    pool.close_listen_streams();
    if tokio::time::timeout(options.shutdown_timeout, pool.drained())
        .await
        .is_err()
    {
        tracing::warn!(
            "calls in flight did not finish within {:?}",
            options.shutdown_timeout
        );
    }
    dispatcher.stop_tasks().await;
    pool.close();
    Ok(())
}
