// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(#[arg(default = 1)] ctx: &Context) {}

fn main() {}
