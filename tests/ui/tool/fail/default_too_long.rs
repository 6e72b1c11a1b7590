// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(default = "abcd", length(..=3))] a: String) {}

fn main() {}
