// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

struct Notes;

/// Adds.
#[tools]
fn add() {}

fn main() {}
