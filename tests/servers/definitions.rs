//! A server with every kind of definition, on standard input and output.

#[allow(dead_code, reason = "shared with tests")]
#[path = "../fixtures/definitions.rs"]
mod definitions;
#[path = "../fixtures/removal_tools.rs"]
mod removal_tools;

mcp_runtime::main!(|server| server.state(definitions::cities_of_tests()));
