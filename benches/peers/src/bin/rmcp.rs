//! The tools of the benchmark, served with `rmcp`.

use drive::order::Order;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{Json, ServiceExt, tool, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    result: i64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    order: Order,
}

#[derive(Clone)]
struct Tools;

#[tool_router(server_handler)]
impl Tools {
    #[tool(description = "Adds two whole numbers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Json<Sum> {
        Json(Sum { result: a + b })
    }

    #[tool(description = "Gives an order back.")]
    fn echo(&self, Parameters(Echo { order }): Parameters<Echo>) -> Json<Order> {
        Json(order)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let serving = Tools.serve(rmcp::transport::stdio()).await?;
    serving.waiting().await?;
    Ok(())
}
