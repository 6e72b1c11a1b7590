// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(clamp(1..=3))] a: Option<String>) {}

fn main() {}
