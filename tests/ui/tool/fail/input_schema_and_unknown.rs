// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(input_schema = "{}", unknown = "ignore")]
fn add() {}

fn main() {}
