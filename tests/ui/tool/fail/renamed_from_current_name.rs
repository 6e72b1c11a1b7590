// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(renamed_from = "add")]
fn add() {}

fn main() {}
