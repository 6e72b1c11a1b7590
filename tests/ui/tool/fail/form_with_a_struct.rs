// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Elicited};

/// Where somebody lives.
#[json]
struct Address {
    street: String,
}

/// Who somebody is.
#[json]
struct Person {
    name: String,
    address: Address,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<(), AskError> {
    ctx.elicit::<Person>("person", "Who?").await?;
    Ok(())
}

fn main() {}
