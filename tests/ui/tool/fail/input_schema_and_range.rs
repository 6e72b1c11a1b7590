// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool(input_schema = "{}")]
fn add(#[arg(range(1..))] a: u8) {}

fn main() {}
