// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(pattern("^(?!x)"))] a: String) {}

fn main() {}
