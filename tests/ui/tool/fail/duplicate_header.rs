// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(header = "Region")] a: String, #[arg(header = "region")] b: String) {}

fn main() {}
