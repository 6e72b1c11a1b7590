// errors: 1
use mcp_runtime::prelude::*;

/// Counts.
#[resource("count://all")]
fn count() -> u32 {
    1
}

fn main() {}
