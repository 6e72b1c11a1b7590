// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Code {
    #[arg(pattern("(two"))]
    letters: String,
}

fn main() {}
