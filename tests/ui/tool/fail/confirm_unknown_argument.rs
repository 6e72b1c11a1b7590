// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(confirm = "Delete {path}?")]
fn add(file: String) {}

fn main() {}
