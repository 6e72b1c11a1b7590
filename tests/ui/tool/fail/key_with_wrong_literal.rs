// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(name = 5)]
fn add() {}

fn main() {}
