//! Two small tools.

use mcp_runtime::prelude::*;

/// Adds two whole numbers.
#[tool(read_only, inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers.
#[tool(read_only, inline)]
fn add_more(a: i64, b: i64) -> i64 {
    a + b
}

mcp_runtime::main!();
