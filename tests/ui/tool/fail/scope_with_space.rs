// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(scopes("a b"))]
fn add() {}

fn main() {}
