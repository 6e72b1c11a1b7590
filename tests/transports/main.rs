//! Streamable HTTP over real sockets, and standard input and output of real processes.

mod http;
mod stdio;
#[allow(dead_code, reason = "tools are called by name")]
#[path = "../fixtures/basic_tools.rs"]
mod tools;
