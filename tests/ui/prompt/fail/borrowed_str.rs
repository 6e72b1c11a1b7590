// errors: 1
use mcp_runtime::prelude::*;

/// Takes text.
#[prompt]
fn take(text: &str) -> String {
    text.to_owned()
}

fn main() {}
