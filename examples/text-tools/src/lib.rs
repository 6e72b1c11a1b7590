//! Tools in a library crate.

use mcp_runtime::prelude::*;

/// Counts the words of a text.
#[tool(read_only, inline)]
fn count_words(
    /// The text.
    text: String,
) -> usize {
    text.split_whitespace().count()
}

/// Turns a text around, letter by letter.
#[tool(read_only, inline)]
fn reverse(
    /// The text.
    text: String,
) -> String {
    text.chars().rev().collect()
}
