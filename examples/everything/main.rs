//! Everything that the protocol's conformance suite asks of a server.

mod asking;
mod forms;
mod tasks;
mod transport;

mcp_runtime::main!();
