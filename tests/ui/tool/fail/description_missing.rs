// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[tool]
fn add() {}

fn main() {}
