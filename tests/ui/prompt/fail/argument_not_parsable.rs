// errors: 1
use mcp_runtime::prelude::*;

struct Opaque;

/// Takes an argument that has no text form.
#[prompt]
fn take(#[arg(default = Opaque)] opaque: Opaque) -> String {
    drop(opaque);
    String::new()
}

fn main() {}
