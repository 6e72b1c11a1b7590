// errors: 1
use mcp_runtime::prelude::*;

/// Has a web page as its app.
#[tool(ui = "https://example.com/widget")]
fn show() -> String {
    String::new()
}

fn main() {}
