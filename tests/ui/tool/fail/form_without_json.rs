// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;
use mcp_runtime::AskError;

struct Person {
    name: String,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<(), AskError> {
    ctx.elicit::<Person>("person", "Who?").await?;
    Ok(())
}

fn main() {}
