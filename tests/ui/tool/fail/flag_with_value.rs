// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(inline = true)]
fn add() {}

fn main() {}
