//! Drives servers on standard input and output, and counts what they cost.
//!
//! What is measured is the processor time of the server per request, in
//! microseconds: it depends far less on what else the machine does than the
//! time that passes. All figures of a table come from one run.

pub mod floor;
mod http;
pub mod order;
mod server;
mod table;

use serde_json::{Value, json};

pub use http::{Client, HttpServer};
pub use server::{Load, Server};
pub use table::{Row, Table};

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

/// What the server `few` lists, for the floor to write.
#[must_use]
pub fn list() -> Value {
    let addend = json!({ "type": "integer" });
    let schema = |properties: Value, required: Value| {
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    };
    let tool = |name: &str| {
        let mut output = schema(json!({ "result": addend }), json!(["result"]));
        output
            .as_object_mut()
            .map(|output| output.remove("additionalProperties"));
        json!({
            "name": name,
            "description": "Adds two whole numbers.",
            "inputSchema": schema(json!({ "a": addend, "b": addend }), json!(["a", "b"])),
            "outputSchema": output,
            "annotations": { "readOnlyHint": true },
        })
    };
    json!({ "tools": [tool("add"), tool("add_more")] })
}
