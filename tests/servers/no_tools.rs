//! A server without tools.

mcp_runtime::main!();
