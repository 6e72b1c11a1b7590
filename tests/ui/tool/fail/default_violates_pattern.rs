// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(pattern("^[a-z]+$"), default = "A")] a: String) {}

fn main() {}
