// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
async fn add(b: u8, a: *const u8) {}

fn main() {}
