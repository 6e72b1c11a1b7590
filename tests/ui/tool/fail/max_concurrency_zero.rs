// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(max_concurrency = 0)]
fn add() {}

fn main() {}
