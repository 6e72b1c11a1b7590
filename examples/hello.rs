//! The smallest server: two tools and one line of setup.

use mcp_runtime::prelude::*;

/// Adds two whole numbers.
#[tool(read_only)]
fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    #[arg(default = 1)]
    b: i64,
) -> i64 {
    a + b
}

/// Greets a person by name.
#[tool(read_only)]
async fn greet(
    /// The name of the person.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

mcp_runtime::main!();
