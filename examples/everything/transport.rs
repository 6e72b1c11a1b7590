//! Features of HTTP: resumable streams, and headers that repeat arguments.

use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::time::sleep;

/// Closes the stream, so that the client reconnects for the result.
#[tool]
async fn test_reconnection(ctx: &Context) -> &'static str {
    ctx.close_stream(Duration::from_millis(500));
    sleep(Duration::from_millis(100)).await;
    "Reconnection test completed"
}

/// Returns an argument that a header repeats.
#[tool(read_only, inline)]
fn test_custom_header(
    /// The value to return.
    #[arg(header = "Value")]
    value: String,
) -> String {
    value
}
