// errors: 2
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Adds.
#[tool]
fn add(größe: u8, #[arg(rename = "order[by]")] order: u8, #[arg(any_name)] maß: u8) {}

fn main() {}
