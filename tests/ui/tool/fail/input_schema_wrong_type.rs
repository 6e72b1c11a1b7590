// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(input_schema = 5)]
fn add() {}

fn main() {}
