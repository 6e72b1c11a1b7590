// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(id: u8, #[arg(rename = "ID")] other: u8) {}

fn main() {}
