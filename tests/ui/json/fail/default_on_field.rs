// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Point {
    #[arg(default = 1)]
    x: u8,
}

fn main() {}
