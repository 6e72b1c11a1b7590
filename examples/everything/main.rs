//! Everything that the protocol's conformance suite asks of a server.

mod asking;

mcp_runtime::main!();
