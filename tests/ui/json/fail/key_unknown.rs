// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json(closed)]
struct Point { x: u8 }

fn main() {}
