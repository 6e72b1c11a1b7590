use std::io;

use tracing::Level;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::server::Server;

/// Sends the log to stderr, unless the program has installed a log of its own.
///
/// A server says what it found at the start, and from then on only what went wrong.
pub(super) fn install(serving: bool, server: &Server) {
    let filter = match std::env::var("MCP_LOG").map(|filter| filter.parse::<Targets>()) {
        Ok(Ok(filter)) => filter,
        Ok(Err(error)) => {
            eprintln!("warning: MCP_LOG is not understood and ignored: {error}");
            usual(serving)
        }
        Err(_) => usual(serving),
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .without_time();
    let log = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "client-log")]
    let log = {
        let told = server.told_to_clients();
        log.with(told.map(|told| crate::ClientLog.with_filter(told.filter())))
    };
    #[cfg(not(feature = "client-log"))]
    let _ = server;
    let _ = log.try_init();
}

fn usual(serving: bool) -> Targets {
    let level = if serving { Level::INFO } else { Level::WARN };
    Targets::new()
        .with_default(Level::WARN)
        .with_target("mcp_runtime", level)
        .with_target("mcp_runtime::audit", Level::WARN)
        .with_target("mcp_runtime::call", Level::WARN)
}
