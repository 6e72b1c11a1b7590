// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
fn add() {}

fn main() {}
