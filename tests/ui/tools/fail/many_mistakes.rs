// errors: 4
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

#[tools]
impl Notes {
    #[tool]
    fn add(&self) {}

    /// Adds.
    #[tool(nmae = "x")]
    fn plus(&mut self, a: &str) {}
}

fn main() {}
