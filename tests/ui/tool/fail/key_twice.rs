// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(title = "a", title = "b")]
fn add() {}

fn main() {}
