// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(length(..=3))] a: f64) {}

fn main() {}
