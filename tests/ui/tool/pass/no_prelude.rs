//! A module without the prelude.
#![no_implicit_prelude]

/// Adds.
#[::mcp_runtime::tool(inline, timeout = "1s", scopes("a"), renamed_from = "plus")]
fn add(
    /// One.
    #[arg(default = 1, range(0..=9))]
    a: i64,
    #[arg(one_of("x", "y"), default = "x", example = "y")] b: ::std::string::String,
    #[arg(clamp(..=9))] c: ::core::option::Option<u8>,
) -> ::core::result::Result<i64, ::mcp_runtime::ToolError> {
    let _ = (b, c);
    ::core::result::Result::Ok(a)
}

struct Notes;

#[::mcp_runtime::tools]
impl Notes {
    /// Counts.
    #[tool]
    async fn count(&self, #[arg(items(..=3))] of: ::std::vec::Vec<u8>) -> usize {
        of.len()
    }
}

#[::mcp_runtime::json]
struct Order {
    /// How many.
    #[arg(range(1..=9), example = 3)]
    count: u8,
    #[arg(length(..=3), pattern("^a"))]
    code: ::core::option::Option<::std::string::String>,
    #[arg(items(..=3))]
    lines: ::std::vec::Vec<u8>,
}

#[::mcp_runtime::json]
enum Choice {
    /// First.
    First,
    Other {
        #[arg(one_of("x", "y"))]
        name: ::std::string::String,
    },
}

fn main() {}
