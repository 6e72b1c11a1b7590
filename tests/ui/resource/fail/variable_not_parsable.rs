// errors: 1
use mcp_runtime::prelude::*;

struct Opaque;

/// Takes an argument that has no text form.
#[resource("notes://{note}{?page}")]
fn take(note: String, page: Option<Opaque>) -> String {
    drop(page);
    note
}

fn main() {}
