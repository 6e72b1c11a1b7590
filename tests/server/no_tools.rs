//! A server that nobody gave a tool.

mcp_runtime::main!();
