// errors: 1
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add() {}

/// Adds too.
#[tool(name = "add")]
fn plus() {}

fn main() {}
