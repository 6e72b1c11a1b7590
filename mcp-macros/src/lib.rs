//! The attribute macros of `mcp-runtime`.
