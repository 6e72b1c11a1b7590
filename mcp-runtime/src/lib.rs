//! A Rust function with a doc comment is an MCP tool.
