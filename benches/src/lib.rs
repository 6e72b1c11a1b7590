//! Drives servers over standard input and output and over HTTP, and counts what they cost.
//!
//! What is measured is the processor time of the server per request, in
//! microseconds: it depends far less on what else the machine does than the
//! time that passes. All figures of a table come from one run.

mod catalogue;
mod column;
pub mod floor;
mod http;
pub mod order;
mod server;
mod table;
mod work;

use serde_json::{Value, json};

pub use catalogue::Catalogue;
pub use column::{Column, Kind};
pub use http::{Client, Posts};
pub use server::{Load, Server};
pub use table::{Row, Table};
pub use work::{CALLS, HTTP, LISTS, STARTS, Work, measure};

/// A call of a tool, as clients of 2025-11-25 send it.
#[must_use]
pub fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// A call of `tool` that adds.
#[must_use]
pub fn add(tool: &str) -> Value {
    call(tool, &json!({ "a": 20, "b": 22 }))
}

/// A call of `echo` with 15 KB.
#[must_use]
pub fn echo() -> Value {
    call("echo", &json!({ "order": order::sample() }))
}

/// A request for the tools.
#[must_use]
pub fn tools_list() -> Value {
    json!({ "method": "tools/list", "params": {} })
}
