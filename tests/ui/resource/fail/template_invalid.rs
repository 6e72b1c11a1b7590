// errors: 3
use mcp_runtime::prelude::*;

/// Has no scheme.
#[resource("notes/{id}")]
fn no_scheme(id: String) -> String {
    id
}

/// Has an open brace.
#[resource("notes://{id")]
fn open(id: String) -> String {
    id
}

/// Has a modifier.
#[resource("notes://{id*}")]
fn modified(id: String) -> String {
    id
}

fn main() {}
