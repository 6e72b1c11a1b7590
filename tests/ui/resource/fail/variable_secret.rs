// errors: 1
#![allow(unused)]
use mcp_runtime::prelude::*;

/// Opens.
#[resource("vault://{key}")]
fn vault(#[arg(secret)] key: String) -> String {
    key
}

fn main() {}
