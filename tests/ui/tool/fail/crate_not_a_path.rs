// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(crate = "mcp")]
fn add() {}

fn main() {}
