// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(one_of(1, 2))] a: String) {}

fn main() {}
