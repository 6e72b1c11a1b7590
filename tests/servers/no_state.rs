//! A server whose tools borrow state that it does not have.

use mcp_runtime::prelude::*;

struct Database;

trait Clock: Send + Sync {}

/// Needs a database.
#[tool(inline)]
fn query(_database: &Database) {}

/// Needs a clock.
#[tool(inline)]
fn time(_clock: &dyn Clock) {}

mcp_runtime::main!();
