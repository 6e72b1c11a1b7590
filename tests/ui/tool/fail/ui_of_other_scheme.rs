// errors: 1
use mcp_runtime::prelude::*;

/// Is shown by a page of the web.
#[tool(ui = "https://example.com/widget")]
fn show() -> String {
    String::new()
}

fn main() {}
