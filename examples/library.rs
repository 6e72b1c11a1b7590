//! Serves the tools of a library crate.
//!
//! Rust does not link a library crate that is not used. The `use` line links it; without
//! it the server stops with "no tools were found".

use text_tools as _;

mcp_runtime::main!();
