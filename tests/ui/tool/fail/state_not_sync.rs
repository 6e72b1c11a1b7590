// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(a: &std::cell::Cell<u8>) {}

fn main() {}
