// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

struct Of<T>(T);

#[tools]
impl<T> Of<T> {
    /// Adds.
    #[tool]
    fn add(&self) {}
}

fn main() {}
