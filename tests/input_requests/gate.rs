//! Tools that wait for the test.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::sync::Notify;

/// Signals between a test and a waiting tool.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// A call has reached the gate.
    pub(crate) reached: Notify,
    /// The gate opens.
    pub(crate) open: Notify,
    /// The future of a call was dropped.
    pub(crate) dropped: Notify,
}

/// Signals that the future of a handler is dropped.
struct DropSignal<'a>(&'a Gate);

impl Drop for DropSignal<'_> {
    fn drop(&mut self) {
        self.0.dropped.notify_one();
    }
}

/// Waits at the gate.
#[tool]
pub(crate) async fn wait(gate: &Gate) -> &'static str {
    let _signal = DropSignal(gate);
    gate.reached.notify_one();
    gate.open.notified().await;
    "through"
}

/// Closes the stream of its client, then waits at the gate.
#[tool]
pub(crate) async fn close_stream(gate: &Gate, ctx: &Context) -> String {
    let closed = ctx.close_stream(Duration::from_millis(20));
    gate.reached.notify_one();
    gate.open.notified().await;
    format!("closed: {closed}")
}

/// Adds two numbers.
#[tool(inline)]
pub(crate) fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A server of all tools in this binary.
pub(crate) fn server() -> mcp_runtime::Server {
    gated().1
}

/// The same, with the gate of its tools.
pub(crate) fn gated() -> (Arc<Gate>, mcp_runtime::Server) {
    let gate = Arc::new(Gate::default());
    let server = mcp_runtime::Server::new("tests", "1.2.3");
    (Arc::clone(&gate), server.shared_state(gate))
}
