// errors: 1
#![allow(unused)]
use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_runtime::InputRequestError;

/// An order.
#[json]
struct Order {
    counts: BTreeMap<String, u32>,
}

async fn how_many(ctx: &Context) -> Result<Option<Order>, InputRequestError> {
    Ok(ctx.elicit("order", "How many?").await?.accepted())
}

/// Asks.
#[tool]
async fn order(ctx: &Context) -> Result<bool, InputRequestError> {
    Ok(how_many(ctx).await?.is_some())
}

fn main() {}
