// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

trait Add {
    fn add(&self);
}

#[tools]
impl Add for Notes {
    /// Adds.
    #[tool]
    fn add(&self) {}
}

fn main() {}
