// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(open_world, closed_world)]
fn add() {}

fn main() {}
