// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(default = 0, clamp(1..))] a: u8) {}

fn main() {}
