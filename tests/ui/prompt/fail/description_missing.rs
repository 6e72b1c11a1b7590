// errors: 1
use mcp_runtime::prelude::*;

#[prompt]
fn silent() -> String {
    String::new()
}

fn main() {}
