// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(default = "c", one_of("a", "b"))] a: String) {}

fn main() {}
