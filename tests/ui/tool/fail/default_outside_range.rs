// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(default = 5, range(1..=3))] a: i64) {}

fn main() {}
