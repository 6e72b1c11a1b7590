// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(meta(1))]
fn add() {}

fn main() {}
