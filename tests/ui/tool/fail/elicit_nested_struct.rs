// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;
use mcp_runtime::{InputRequestError, Elicited};

/// An address.
#[json]
struct Address {
    street: String,
}

/// A person.
#[json]
struct Person {
    name: String,
    address: Address,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<(), InputRequestError> {
    ctx.elicit::<Person>("person", "Who?").await?;
    Ok(())
}

fn main() {}
