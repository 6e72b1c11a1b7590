//! Sends requests to servers over standard input and output and over HTTP, and measures
//! their processor time per request.
//!
//! Other load on the machine affects processor time far less than wall-clock time. All
//! figures of a table come from one run.

mod benchmark;
mod catalogue;
pub mod floor;
mod http;
pub mod order;
mod server;
mod server_variant;
mod table;

use serde_json::{Value, json};

pub use benchmark::{Benchmark, CALLS, HTTP, LISTS, STARTS, measure};
pub use catalogue::Catalogue;
pub use http::{Client, HttpLoad};
pub use server::{Load, Server};
pub use server_variant::{ServerVariant, Workload};
pub use table::{Row, Table};

/// Returns a tool call in the shape of 2025-11-25.
#[must_use]
pub fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// Returns a call of a tool that adds two numbers.
#[must_use]
pub fn add(tool: &str) -> Value {
    call(tool, &json!({ "a": 20, "b": 22 }))
}

/// Returns a call of `echo` with 15 KB of arguments.
#[must_use]
pub fn echo() -> Value {
    call("echo", &json!({ "order": order::sample() }))
}

/// Returns a `tools/list` request.
#[must_use]
pub fn tools_list() -> Value {
    json!({ "method": "tools/list", "params": {} })
}
