// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(example = -1, range(0..))] a: i8) {}

fn main() {}
