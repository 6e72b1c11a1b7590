// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;
use mcp_runtime::InputRequestError;

struct Person {
    name: String,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<(), InputRequestError> {
    ctx.elicit::<Person>("person", "Who?").await?;
    Ok(())
}

fn main() {}
