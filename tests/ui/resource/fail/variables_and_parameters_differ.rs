// errors: 3
use mcp_runtime::prelude::*;

/// Has another name.
#[resource("notes://{id}/{part}", size = 3)]
fn note(number: u32, part: String) -> String {
    format!("{number} {part}")
}

fn main() {}
