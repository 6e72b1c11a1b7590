//! Our server: two tools that add and one that returns its argument.

use drive::order::Order;
use mcp_runtime::prelude::*;

/// Adds two whole numbers.
#[tool(read_only, inline)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two whole numbers on a thread that may block.
#[tool(read_only)]
fn add_blocking(a: i64, b: i64) -> i64 {
    a + b
}

/// Returns an order unchanged.
#[tool(read_only, inline)]
fn echo(order: Order) -> Order {
    order
}

mcp_runtime::main!();
