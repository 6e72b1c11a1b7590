// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(timeout = "30")]
fn add() {}

fn main() {}
