//! Every feature of a server, with the names that the official conformance suite expects.
//!
//! ```sh
//! cargo run --example everything -- --http 127.0.0.1:8080
//! ```

mod content;
mod forms;
mod input_requests;
mod list_changes;
mod notifications;
mod prompts;
mod resources;
mod tasks;
mod transport;

use list_changes::Switches;

mcp_runtime::main!(|server| server
    .title("Everything")
    .instructions("Every tool, prompt and resource of this server is for testing clients.")
    .state(Switches::default()));
