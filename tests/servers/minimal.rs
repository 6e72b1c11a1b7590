//! A server without any configuration.

use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::runtime::Handle;

/// Returns the flavor of the tokio runtime.
#[tool(read_only, inline)]
fn runtime() -> String {
    format!("{:?}", Handle::current().runtime_flavor())
}

/// Blocks its thread on a future.
#[tool(read_only)]
fn wait(millis: u64) -> String {
    Handle::current().block_on(sleep(millis))
}

/// Sleeps.
#[tool(read_only)]
async fn sleep(millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    "slept".to_owned()
}

/// Blocks in a spawned task.
#[tool(read_only)]
async fn spawn(millis: u64) -> String {
    let task = tokio::spawn(async move { tokio::task::block_in_place(|| wait(millis)) });
    task.await.unwrap_or_default()
}

/// Exceeds its timeout.
#[tool(read_only, timeout = "50ms")]
async fn late() -> String {
    sleep(600_000).await
}

/// Returns a long text.
#[tool(read_only)]
fn repeat(bytes: usize) -> String {
    "x".repeat(bytes)
}

mcp_runtime::main!();
