// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(unknown = "allow")]
fn add() {}

fn main() {}
