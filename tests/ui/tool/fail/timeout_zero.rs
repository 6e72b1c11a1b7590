// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(timeout = "0s")]
fn add() {}

fn main() {}
