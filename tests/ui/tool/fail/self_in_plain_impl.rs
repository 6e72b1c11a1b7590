// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

impl Notes {
    /// Adds.
    #[tool]
    fn add(&self) {}
}

fn main() {}
