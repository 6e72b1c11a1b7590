// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Point {
    #[arg(range(1..), example = 0)]
    x: u8,
}

fn main() {}
