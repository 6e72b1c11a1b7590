// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(read_only = "yes")]
fn add() {}

fn main() {}
