//! A server for tests against a real process.

mod tools;

mcp_runtime::main!(|server| server.title("A server for tests"));
