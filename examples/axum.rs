//! An MCP endpoint in an axum application, beside other routes.
//!
//! ```sh
//! cargo run --example axum
//! curl http://127.0.0.1:8080/mcp -H 'Content-Type: application/json' -d \
//!   '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"curl","version":"8"}}}'
//! ```

use axum::Router;
use axum::routing::get;
use mcp_runtime::prelude::*;
use tokio::net::TcpListener;

/// Adds two whole numbers.
#[tool(read_only, inline)]
fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    b: i64,
) -> i64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let endpoint = mcp_runtime::server!().http_endpoint()?;
    let streams = endpoint.clone();
    let app = Router::new()
        .route("/", get(|| async { "the MCP endpoint is at /mcp" }))
        .route_service("/mcp", endpoint);
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            let _ = tokio::signal::ctrl_c().await;
            streams.close_listen_streams();
        })
        .await?;
    Ok(())
}
