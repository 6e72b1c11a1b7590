// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(one_of("a", "b"))] a: Vec<String>) {}

fn main() {}
