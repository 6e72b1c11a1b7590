// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(server: &Server) -> &str { "" }

fn main() {}
