// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(name = "a.b")]
fn add() {}

fn main() {}
