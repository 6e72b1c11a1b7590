// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(read_only, destructive)]
fn add() {}

fn main() {}
