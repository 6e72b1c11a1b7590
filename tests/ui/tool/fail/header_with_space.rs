// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(header = "My Region")] a: String) {}

fn main() {}
