// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add() -> Result<u8, Vec<u8>> { Ok(1) }

fn main() {}
