// errors: 1
use mcp_runtime::prelude::*;

struct Opaque;

/// Takes what no text stands for.
#[resource("notes://{note}{?page}")]
fn take(note: String, page: Option<Opaque>) -> String {
    drop(page);
    note
}

fn main() {}
