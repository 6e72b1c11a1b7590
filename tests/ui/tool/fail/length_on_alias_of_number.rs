// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(length(..=5))] a: Number) {}

type Number = u16;

fn main() {}
