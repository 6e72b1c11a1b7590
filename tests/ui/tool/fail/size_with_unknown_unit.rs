// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(max_result = "64kb")]
fn add() {}

fn main() {}
