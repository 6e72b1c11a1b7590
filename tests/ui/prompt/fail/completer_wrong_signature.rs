// errors: 1
use mcp_runtime::prelude::*;

fn numbers() -> Vec<u32> {
    vec![1]
}

/// Takes a number.
#[prompt]
fn take(#[arg(complete = numbers)] number: u32) -> String {
    number.to_string()
}

fn main() {}
