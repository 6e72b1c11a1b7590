// errors: 1
use mcp_runtime::prelude::*;

fn names(_: &str) -> Vec<String> {
    Vec::new()
}

/// Takes a name.
#[tool]
fn take(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {}
