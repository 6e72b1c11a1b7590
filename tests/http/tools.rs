//! Tools for what only HTTP has.

use std::sync::Arc;
use std::time::Duration;

use mcp_runtime::HttpOptions;
use mcp_runtime::prelude::*;
use mcp_runtime::prompt;
use tokio::sync::Notify;

use crate::host::Host;

/// Where something is done.
#[json]
pub(crate) struct Place {
    /// For the gateway.
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
    /// How many.
    #[schemars(extend("x-mcp-header" = "Count"))]
    count: Option<u32>,
    /// Whether at once.
    #[schemars(extend("x-mcp-header" = "Now"))]
    now: Option<bool>,
}

/// Does something at a place.
#[tool(inline)]
pub(crate) fn go(place: Place) -> String {
    let Place { region, count, now } = place;
    format!("{region} {count:?} {now:?}")
}

/// Somebody.
#[json]
pub(crate) struct Person {
    /// What to call them.
    name: String,
}

/// Asks for a name.
#[tool]
pub(crate) async fn ask(ctx: &Context) -> Result<String, ToolError> {
    let person = ctx.elicit::<Person>("person", "Who is it?").await?;
    Ok(person
        .accepted()
        .map_or("nobody".to_owned(), |person| person.name))
}

/// Tells how far it has come.
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

/// Tells that it is done, and then returns a long text.
#[tool(inline)]
pub(crate) fn report_long(
    ctx: &Context,
    /// How long, in bytes.
    bytes: usize,
) -> String {
    ctx.progress(1.0, 1.0);
    "x".repeat(bytes)
}

/// What a test waits for, or lets go on.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// A call has come to the gate.
    pub(crate) reached: Notify,
    /// The gate opens.
    pub(crate) open: Notify,
    /// A call was let through.
    pub(crate) passed: Notify,
}

/// Lets its client go and waits at the gate.
#[tool]
pub(crate) async fn wait(gate: &Gate, ctx: &Context) -> String {
    let let_go = ctx.close_stream(Duration::from_millis(50));
    gate.reached.notify_one();
    gate.open.notified().await;
    gate.passed.notify_one();
    format!("let go: {let_go}")
}

pub(crate) fn gated() -> (Arc<Gate>, mcp_runtime::Server) {
    let gate = Arc::new(Gate::default());
    let server = mcp_runtime::Server::new("tests", "1.2.3");
    (Arc::clone(&gate), server.shared_state(gate))
}

impl Host {
    /// A server of these tools.
    pub(crate) fn start() -> Self {
        Self::with(HttpOptions::new())
    }

    pub(crate) fn with(options: HttpOptions) -> Self {
        Self::of(gated().1.http(options))
    }
}
