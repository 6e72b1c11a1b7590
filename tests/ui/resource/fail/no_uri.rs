// errors: 1
use mcp_runtime::prelude::*;

/// Is nowhere.
#[resource]
fn nowhere() -> String {
    String::new()
}

fn main() {}
