// errors: 10
#![allow(unused)]
use mcp_runtime::prelude::*;

#[tool(nmae = "a", read_only, destructive, timeout = "3")]
unsafe fn add<T>(a: &str, (b, c): (u8, u8), #[arg(default = 5, range(1..=3))] d: u8) -> impl ToString {
    1
}

fn main() {}
