// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(inline)]
async fn add() {}

fn main() {}
