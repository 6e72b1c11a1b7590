// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

#[json]
struct Leaf {
    x: u8,
}

#[json]
#[serde(tag = "type")]
enum Shape {
    Leaf(Leaf),
    Copy(Box<Shape>),
}

fn main() {}
