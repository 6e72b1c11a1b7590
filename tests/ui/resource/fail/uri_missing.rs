// errors: 1
use mcp_runtime::prelude::*;

/// Has no URI.
#[resource]
fn nowhere() -> String {
    String::new()
}

fn main() {}
