//! The tools of the benchmark, served with `tower-mcp`.

use drive::order::Order;
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, ToolBuilder};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(serde::Serialize)]
struct Sum {
    result: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    order: Order,
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let add = ToolBuilder::new("add")
        .description("Adds two whole numbers.")
        .handler(|Add { a, b }: Add| async move {
            CallToolResult::from_serialize(&Sum { result: a + b })
        })
        .build();
    let echo = ToolBuilder::new("echo")
        .description("Gives an order back.")
        .handler(|Echo { order }: Echo| async move { CallToolResult::from_serialize(&order) })
        .build();
    let router = McpRouter::new()
        .server_info("peer", "1.0.0")
        .tool(add)
        .tool(echo);
    StdioTransport::new(router).run().await?;
    Ok(())
}
