//! Tools in a library crate.

use mcp_runtime::prelude::*;

/// Counts the words in a text.
#[tool(read_only, inline)]
fn count_words(
    /// The text.
    text: String,
) -> usize {
    text.split_whitespace().count()
}

/// Reverses a text.
#[tool(read_only, inline)]
fn reverse(
    /// The text.
    text: String,
) -> String {
    text.chars().rev().collect()
}
