//! The stdio transport, which reads and writes newline-delimited messages on standard input and
//! standard output (specification, *Transports*, *stdio*).
//!
//! A thread pool reads standard input ([`leader_followers`]) instead of tokio, because a call that
//! completes at once then costs little more than one read and one write.

mod fd_redirect;
mod handler_runtime;
mod leader_followers;
mod line_reader;
mod message_writer;
mod options;
mod stall_monitor;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::signal::sigterm;
use super::stderr_forwarder::StderrForwarder;
use crate::context::{ClientSink, TransportKind};
use crate::dispatch::{Connection, Dispatcher};
use crate::error::Error;
use fd_redirect::RedirectedStdio;
pub(crate) use handler_runtime::HandlerRuntime;
use leader_followers::WorkerPool;
use line_reader::LineReader;
use message_writer::MessageWriter;
pub use options::StdioOptions;

/// The minimum time for stopping tasks, even if the calls in flight used the whole shutdown
/// timeout.
const MIN_STOP_TIMEOUT: Duration = Duration::from_millis(100);

/// Serves the client until it closes standard input or the process receives SIGTERM.
///
/// Calls in flight may finish within `options.shutdown_timeout`. Threads that are still blocked in
/// a handler after that time end with the process. `stderr` is the forwarder of standard error, if
/// it is redirected.
pub(crate) async fn serve(
    dispatcher: Dispatcher,
    options: StdioOptions,
    runtime: HandlerRuntime,
    stderr: Option<StderrForwarder>,
) -> Result<(), Error> {
    let user = dispatcher
        .authenticate_local_user(TransportKind::Stdio)
        .await?;
    let stderr = stderr.map_or_else(StderrForwarder::install, Ok)?;
    if runtime.is_shared() {
        stderr.start();
    }
    let stdio = RedirectedStdio::redirect().map_err(Error::io("redirecting stdin and stdout"))?;
    let lines = LineReader::new(stdio.input()?, options.max_line_bytes);
    let output = Arc::new(MessageWriter::new(stdio.output()?));
    let sink: Arc<dyn ClientSink> = Arc::<MessageWriter>::clone(&output);
    let connection = Connection::with_sink(TransportKind::Stdio, sink);
    let connection = connection.with_optional_principal(user.as_ref());
    let sigterm = sigterm();
    let pool = WorkerPool::start(
        lines,
        Arc::clone(&output),
        dispatcher.clone(),
        connection,
        options,
        runtime,
    );
    let served = async {
        let reason = tokio::select! {
            () = pool.input_ended() => "end of input",
            () = client_gone(&stdio, &output) => {
                pool.client_gone();
                "the client no longer reads"
            }
            name = sigterm => name,
        };
        shut_down(&pool, &dispatcher, options, reason).await;
    };
    tokio::select! {
        () = served => {}
        () = stderr.start_on_demand() => {}
    }
    if !pool.close() {
        tracing::warn!("the client did not read the last replies");
        stdio.leave_redirected();
    }
    Ok(())
}

async fn client_gone(stdio: &RedirectedStdio, output: &MessageWriter) {
    tokio::select! {
        () = stdio.reader_gone() => {}
        () = output.failed() => {}
    }
}

/// Waits for the calls in flight and stops tasks. A signal ends the wait at once.
async fn shut_down(
    pool: &WorkerPool,
    dispatcher: &Dispatcher,
    options: StdioOptions,
    reason: &'static str,
) {
    tracing::debug!("{reason}; waiting for calls in flight");
    let limit = options.shutdown_timeout;
    let finished = async {
        let started = Instant::now();
        pool.close_listen_streams();
        if timeout(limit, pool.drained()).await.is_err() {
            tracing::warn!("calls in flight did not finish within {limit:?}");
        }
        let left = limit.saturating_sub(started.elapsed());
        let stopped = timeout(left.max(MIN_STOP_TIMEOUT), dispatcher.stop_tasks()).await;
        if stopped.is_err() {
            tracing::warn!("tasks did not stop within {limit:?}");
        }
    };
    tokio::select! {
        () = finished => {}
        name = sigterm() => tracing::warn!("{name} while calls finish; ending at once"),
    }
}
