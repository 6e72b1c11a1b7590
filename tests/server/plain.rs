//! A server that sets nothing up.

use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::runtime::Handle;

/// Names the runtime that a body is in.
#[tool(read_only, inline)]
fn runtime() -> String {
    format!("{:?}", Handle::current().runtime_flavor())
}

/// Waits on its own thread.
#[tool(read_only)]
fn wait(millis: u64) -> String {
    Handle::current().block_on(sleep(millis))
}

/// Waits.
#[tool(read_only)]
async fn sleep(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "slept".to_owned()
}

/// Has a task wait, on any thread.
#[tool(read_only)]
async fn spawn(millis: u64) -> String {
    let slept = tokio::spawn(async move { tokio::task::block_in_place(|| wait(millis)) });
    slept.await.unwrap_or_default()
}

/// Does not end in time.
#[tool(read_only, timeout = "50ms")]
async fn late() -> String {
    sleep(600_000).await
}

mcp_runtime::main!();
