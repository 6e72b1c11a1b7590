// errors: 1
use mcp_runtime::prelude::*;

struct Opaque;

/// Takes what no text stands for.
#[prompt]
fn take(#[arg(default = Opaque)] opaque: Opaque) -> String {
    drop(opaque);
    String::new()
}

fn main() {}
