// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add() -> std::time::Instant { std::time::Instant::now() }

fn main() {}
