use std::io;

use tracing::Level;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::server::Server;

/// Installs a `tracing` subscriber that writes to stderr, unless the process already has a
/// subscriber.
///
/// By default, a server logs its definitions at the start. After that, it logs only warnings and
/// errors.
pub(super) fn install(serving: bool, server: &Server) {
    let filter = match std::env::var("MCP_LOG").map(|filter| filter.parse::<Targets>()) {
        Ok(Ok(filter)) => filter,
        Ok(Err(error)) => {
            eprintln!("warning: MCP_LOG is invalid and ignored: {error}");
            default_filter(serving)
        }
        Err(_) => default_filter(serving),
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .without_time();
    let log = tracing_subscriber::registry().with(lines.with_filter(filter));
    #[cfg(feature = "client-log")]
    let log = {
        let targets = server.client_log_targets();
        log.with(targets.map(|targets| crate::ClientLog.with_filter(targets.filter())))
    };
    #[cfg(not(feature = "client-log"))]
    let _ = server;
    let _ = log.try_init();
}

fn default_filter(serving: bool) -> Targets {
    let level = if serving { Level::INFO } else { Level::WARN };
    Targets::new()
        .with_default(Level::WARN)
        .with_target("mcp_runtime", level)
        .with_target("mcp_runtime::audit", Level::WARN)
        .with_target("mcp_runtime::call", Level::WARN)
}
