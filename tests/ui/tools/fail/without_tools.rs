// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

#[tools]
impl Notes {
    fn help(&self) {}
}

fn main() {}
