// errors: 3
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json(closed)]
struct Point {
    #[arg(secret)]
    x: u8,
    #[arg(range(3..=1))]
    y: u8,
}

fn main() {}
