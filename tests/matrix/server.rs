//! One of everything that a server can offer, on standard input and output.

#[allow(dead_code, reason = "made for more than this")]
#[path = "../features/definitions.rs"]
mod definitions;
#[path = "taking.rs"]
mod taking;

mcp_runtime::main!(|server| server.state(definitions::cities_of_tests()));
