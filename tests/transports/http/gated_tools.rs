//! Tools for the tests over HTTP.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::prompt;
use mcp_runtime::transport::HttpOptions;
use tokio::sync::Notify;

use crate::http::blocking::Barrier;
use support::http_server::HttpServer;

/// A person.
#[json]
pub(crate) struct Person {
    /// The name.
    name: String,
}

/// Asks for a name.
#[tool]
pub(crate) async fn ask(ctx: &Context) -> Result<String, ToolError> {
    let person = ctx.elicit::<Person>("person", "Who is it?").await?;
    Ok(person
        .accepted()
        .map_or("unknown".to_owned(), |person| person.name))
}

/// Reports progress.
#[tool(inline)]
pub(crate) fn report(ctx: &Context) -> &'static str {
    for done in 1..=3 {
        ctx.progress(f64::from(done), 3.0);
    }
    "done"
}

/// Greets the world.
#[prompt]
pub(crate) fn greet() -> &'static str {
    "Hello, world."
}

/// Returns a long text.
#[tool(inline)]
pub(crate) fn long(
    /// How long, in bytes.
    bytes: usize,
) -> String {
    "x".repeat(bytes)
}

/// Reports progress, then returns a long text.
#[tool(inline)]
pub(crate) fn report_long(
    ctx: &Context,
    /// How long, in bytes.
    bytes: usize,
) -> String {
    ctx.progress(1.0, 1.0);
    "x".repeat(bytes)
}

/// Signals between a test and waiting tools.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// A call has reached the gate.
    pub(crate) reached: Notify,
    /// The gate opens.
    pub(crate) open: Notify,
    /// A call has passed the gate.
    pub(crate) passed: Notify,
    /// The gate of blocking tools.
    pub(crate) barrier: Barrier,
}

/// Closes the stream of its client, then waits at the gate.
#[tool]
pub(crate) async fn wait(gate: &Gate, ctx: &Context) -> String {
    let closed = ctx.close_stream(Duration::from_millis(50));
    gate.reached.notify_one();
    gate.open.notified().await;
    gate.passed.notify_one();
    format!("closed: {closed}")
}

/// Waits at the gate.
#[tool]
pub(crate) async fn stay(gate: &Gate) -> &'static str {
    gate.open.notified().await;
    "stayed"
}

/// A server of these tools, and the gate.
pub(crate) fn gated() -> (Arc<Gate>, mcp_runtime::Server) {
    let gate = Arc::new(Gate::default());
    let server = mcp_runtime::Server::new("tests", "1.2.3");
    (Arc::clone(&gate), server.shared_state(gate))
}

/// Starts a server of these tools.
pub(crate) fn start_server() -> HttpServer {
    start_server_with(HttpOptions::new())
}

/// Starts a server of these tools with `options`.
pub(crate) fn start_server_with(options: HttpOptions) -> HttpServer {
    HttpServer::start(gated().1.http(options))
}
