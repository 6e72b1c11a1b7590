// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Point {
    #[arg(range(1..))]
    x: String,
}

fn main() {}
