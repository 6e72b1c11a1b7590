// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(a: &mut Vec<u8>) {}

fn main() {}
