// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
enum Shape {
    Circle {
        #[arg(length(1..))]
        radius: f64,
    },
}

fn main() {}
