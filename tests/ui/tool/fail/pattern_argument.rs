// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add((a, b): (u8, u8)) {}

fn main() {}
