//! The tools of the benchmark, served with `rmcp`.

use std::sync::Arc;

use bench_peers::{Add, Echo, LookUp, Sum};
use drive::order::Order;
use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::Tool;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};

/// The router is created once; `#[tool_router(server_handler)]` creates one per call.
struct Tools {
    router: ToolRouter<Self>,
}

#[tool_router]
impl Tools {
    #[tool(description = "Adds two whole numbers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Json<Sum> {
        Json(Sum { result: a + b })
    }

    #[tool(description = "Returns an order unchanged.")]
    fn echo(&self, Parameters(Echo { order }): Parameters<Echo>) -> Json<Order> {
        Json(order)
    }
}

#[tool_handler(router = self.router)]
impl ServerHandler for Tools {}

impl Tools {
    /// Creates `count` tools, each with its own schema. `rmcp` caches the schema per type,
    /// and each of these tools stands for a separate type.
    fn many(count: usize) -> ToolRouter<Self> {
        (0..count).fold(ToolRouter::new(), |router, index| {
            let (name, description) = bench_peers::catalogue(index);
            let mut schema = rmcp::model::object(schemars::schema_for!(LookUp).to_value());
            schema.remove("title");
            let tool = Tool::new(name, description, schema);
            let look_up = move |Parameters(look_up): Parameters<LookUp>| look_up.result(index);
            router.with_route(ToolRoute::new(tool, look_up))
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = bench_peers::parse_args();
    let router = args.tools.map_or_else(Tools::tool_router, Tools::many);
    let tools = Arc::new(Tools { router });
    let Some(address) = args.http else {
        let serving = tools.serve(rmcp::transport::stdio()).await?;
        serving.waiting().await?;
        return Ok(());
    };
    // JSON for stateless requests; in a session `rmcp` always streams.
    let config = StreamableHttpServerConfig::default().with_json_response(true);
    let sessions = Arc::<LocalSessionManager>::default();
    let service = StreamableHttpService::new(move || Ok(Arc::clone(&tools)), sessions, config);
    let router = axum::Router::new().nest_service("/mcp", service);
    bench_peers::serve(router, &address).await?;
    Ok(())
}
