//! One message a line on standard input, one a line on standard output
//! (specification, *Transports*, *stdio*).
//!
//! Lines are read by a thread of a [`crew`], not by tokio: a reply to a handler
//! that is ready costs no more than the read and the write around it.

mod crew;
mod guard;
mod lines;
mod output;
mod watch;
mod workers;

use std::sync::Arc;
use std::time::Duration;

use super::signal::terminated;
use crate::context::{Channel, Outgoing};
use crate::dispatch::{Dispatcher, Peer};
use crate::error::Error;
use crew::Crew;
use guard::Descriptors;
use lines::Lines;
use output::Output;
pub(crate) use workers::Workers;

/// The bounds of a server on standard input and output.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::StdioOptions;
///
/// let options = StdioOptions { drain: Duration::from_secs(30), ..StdioOptions::default() };
/// assert_eq!(options.max_line, 8 * 1024 * 1024);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StdioOptions {
    /// The longest line that is read, in bytes; a longer one is answered with an
    /// error and skipped. 8 MiB unless said.
    pub max_line: usize,
    /// How many calls run at once, for each of async and blocking ones; the
    /// others wait. 64 unless said.
    pub concurrency: usize,
    /// How long calls may go on after the end of input or SIGTERM. 10 s unless said.
    pub drain: Duration,
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self {
            max_line: 8 * 1024 * 1024,
            concurrency: 64,
            drain: Duration::from_secs(10),
        }
    }
}

/// Serves until the client closes its end or the process is told to stop.
///
/// Calls in flight are given `options.drain` to finish. Threads that are stuck
/// in a handler are left behind: they end with the process.
pub(crate) async fn serve(
    dispatcher: Dispatcher,
    options: StdioOptions,
    workers: Workers,
) -> Result<(), Error> {
    let user = dispatcher.local_user(Channel::Stdio).await?;
    let descriptors = Descriptors::take().map_err(Error::io("taking over stdin and stdout"))?;
    let lines = Lines::new(descriptors.input()?, options.max_line);
    let output = Arc::new(Output::new(descriptors.output()?));
    let outgoing: Arc<dyn Outgoing> = Arc::<Output>::clone(&output);
    let peer = Peer::through(Channel::Stdio, outgoing);
    let peer = peer.spoken_by(user.as_ref());
    let terminated = terminated();
    let crew = Crew::start(lines, output, dispatcher.clone(), peer, options, workers);
    let stopped_by = tokio::select! {
        () = crew.ended() => "end of input",
        name = terminated => name,
    };
    tracing::debug!("{stopped_by}; draining calls in flight");
    crew.end_streams();
    if tokio::time::timeout(options.drain, crew.drained())
        .await
        .is_err()
    {
        tracing::warn!(
            "gave up waiting for calls in flight after {:?}",
            options.drain
        );
    }
    dispatcher.stop_tasks().await;
    crew.close();
    Ok(())
}
