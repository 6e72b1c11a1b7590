//! Tools that send log messages and progress before they return.

use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime::protocol::LoggingLevel;
use tokio::time::sleep;

const PAUSE: Duration = Duration::from_millis(50);

/// Sends three log messages while it runs.
#[tool(read_only)]
async fn test_tool_with_logging(ctx: &Context) -> &'static str {
    ctx.log(LoggingLevel::Info, "Tool execution started");
    sleep(PAUSE).await;
    ctx.log(LoggingLevel::Info, "Tool processing data");
    sleep(PAUSE).await;
    ctx.log(LoggingLevel::Info, "Tool execution completed");
    "Three messages were logged."
}

/// Sends a log message if the request asks for log messages.
#[tool(read_only, inline)]
fn test_logging_tool(ctx: &Context) -> &'static str {
    ctx.log(LoggingLevel::Info, "A message about this request");
    "A message was logged if the client wanted it."
}

/// Reports its progress while it runs.
#[tool(read_only)]
async fn test_tool_with_progress(ctx: &Context) -> &'static str {
    ctx.progress(0.0, 100.0);
    sleep(PAUSE).await;
    ctx.progress(50.0, 100.0);
    sleep(PAUSE).await;
    ctx.progress(100.0, 100.0);
    "It is done."
}
