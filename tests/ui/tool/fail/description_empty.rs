// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[tool(description = "")]
fn add() {}

fn main() {}
