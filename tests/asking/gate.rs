//! Tools that a test holds up.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::sync::Notify;

/// What a test waits for, or lets go on.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// A call has come to the gate.
    pub(crate) reached: Notify,
    /// The gate opens.
    pub(crate) open: Notify,
    /// A call was dropped at the gate.
    pub(crate) dropped: Notify,
}

/// Tells that a body is no more.
struct Leaving<'a>(&'a Gate);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.dropped.notify_one();
    }
}

/// Waits at the gate.
#[tool]
pub(crate) async fn wait(gate: &Gate) -> &'static str {
    let _leaving = Leaving(gate);
    gate.reached.notify_one();
    gate.open.notified().await;
    "through"
}

/// Lets its client go and waits at the gate.
#[tool]
pub(crate) async fn let_go(gate: &Gate, ctx: &Context) -> String {
    let let_go = ctx.close_stream(Duration::from_millis(20));
    gate.reached.notify_one();
    gate.open.notified().await;
    format!("let go: {let_go}")
}

/// Adds two numbers.
#[tool(inline)]
pub(crate) fn add(a: i64, b: i64) -> i64 {
    a + b
}

pub(crate) fn server() -> mcp_runtime::Server {
    gated().1
}

pub(crate) fn gated() -> (Arc<Gate>, mcp_runtime::Server) {
    let gate = Arc::new(Gate::default());
    let server = mcp_runtime::Server::new("tests", "1.2.3");
    (Arc::clone(&gate), server.shared_state(gate))
}
