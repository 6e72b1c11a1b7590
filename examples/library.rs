//! Serves tools that live in a library crate.
//!
//! A library that is never named is not linked, and its tools are not found.
//! This one line names it; without it the server stops with "no tools were found".

use text_tools as _;

mcp_runtime::main!();
