//! Generated code under the strictest lints.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused_qualifications, clippy::all, clippy::pedantic)]

use mcp_runtime::prelude::*;

/// Adds.
#[tool(read_only, confirm = "Add {a}?", timeout = "1s", meta("a" = 1), icons("data:,"))]
pub fn add(
    /// One.
    #[arg(default = 1, range(0..=10))]
    a: i64,
    #[arg(length(..=3), pattern("a"), example = "a")] text: Option<String>,
) -> i64 {
    a + i64::from(text.is_some())
}

/// Has tools.
#[derive(Debug)]
pub struct Notes;

#[tools(prefix = "notes_")]
impl Notes {
    /// Counts.
    #[tool]
    pub fn count(&self, #[arg(clamp(1..=2))] by: u8) -> u8 {
        by
    }
}

/// A type.
#[json]
#[derive(Debug)]
pub struct Point {
    /// A field.
    #[arg(range(0..=10))]
    pub x: i32,
}

fn main() {
    assert_eq!(add(1, None), 1);
    assert_eq!(Notes.count(2), 2);
}
