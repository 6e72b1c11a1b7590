//! The tools of the benchmark, served with `tower-mcp`.

use bench_peers::{Add, Echo, LookUp, Sum};
use tower_mcp::{BoxError, CallToolResult, HttpTransport, McpRouter, StdioTransport, ToolBuilder};

fn add_call_tools(router: McpRouter) -> McpRouter {
    let add = ToolBuilder::new("add")
        .description("Adds two whole numbers.")
        .handler(|Add { a, b }: Add| async move {
            CallToolResult::from_serialize(&Sum { result: a + b })
        })
        .build();
    let echo = ToolBuilder::new("echo")
        .description("Returns an order unchanged.")
        .handler(|Echo { order }: Echo| async move { CallToolResult::from_serialize(&order) })
        .build();
    router.tool(add).tool(echo)
}

fn add_generated_tools(router: McpRouter, count: usize) -> McpRouter {
    (0..count).fold(router, |router, index| {
        let (name, description) = bench_peers::catalogue(index);
        let look_up =
            move |look_up: LookUp| async move { Ok(CallToolResult::text(look_up.result(index))) };
        let tool = ToolBuilder::new(name).description(description);
        router.tool(tool.handler(look_up).build())
    })
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let args = bench_peers::parse_args();
    let router = McpRouter::new().server_info("peer", "1.0.0");
    let router = match args.tools {
        None => add_call_tools(router),
        Some(count) => add_generated_tools(router, count),
    };
    match args.http {
        None => StdioTransport::new(router).run().await?,
        Some(address) => {
            let router = HttpTransport::new(router).into_router_at("/mcp");
            bench_peers::serve(router, &address).await?;
        }
    }
    Ok(())
}
