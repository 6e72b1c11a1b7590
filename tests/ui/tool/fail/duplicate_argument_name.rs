// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(a: u8, #[arg(rename = "a")] b: u8) {}

fn main() {}
