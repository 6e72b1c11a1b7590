//! What only HTTP has: streams that are resumed, and arguments repeated in headers.

use std::time::Duration;

use mcp_runtime::prelude::*;
use tokio::time::sleep;

/// Lets its client go, to come back for the result.
#[tool]
async fn test_reconnection(ctx: &Context) -> &'static str {
    ctx.close_stream(Duration::from_millis(500));
    sleep(Duration::from_millis(100)).await;
    "Reconnection test completed"
}

/// Says what a header said too.
#[tool(read_only, inline)]
fn test_custom_header(
    /// What to say.
    #[arg(header = "Value")]
    value: String,
) -> String {
    value
}
