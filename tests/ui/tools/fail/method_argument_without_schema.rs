// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

#[tools]
impl Notes {
    /// Adds.
    #[tool]
    fn add(&self, at: std::time::Instant) {}
}

fn main() {}
