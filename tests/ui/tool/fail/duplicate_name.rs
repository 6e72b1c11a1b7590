// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add() {}

/// Adds too.
#[tool(name = "add")]
fn plus() {}

fn main() {}
