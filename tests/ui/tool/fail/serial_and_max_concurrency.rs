// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(serial, max_concurrency = 2)]
fn add() {}

fn main() {}
