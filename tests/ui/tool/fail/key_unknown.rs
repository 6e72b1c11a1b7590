// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(nmae = "add")]
fn add() {}

fn main() {}
