// errors: 1
#![allow(unused)]
use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use mcp_runtime::AskError;

/// How many of each.
#[json]
struct Order {
    counts: BTreeMap<String, u32>,
}

async fn how_many(ctx: &Context) -> Result<Option<Order>, AskError> {
    Ok(ctx.elicit("order", "How many?").await?.accepted())
}

/// Asks.
#[tool]
async fn order(ctx: &Context) -> Result<bool, AskError> {
    Ok(how_many(ctx).await?.is_some())
}

fn main() {}
