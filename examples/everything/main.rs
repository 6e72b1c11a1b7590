//! One of everything that a server can offer, under the names that the official
//! conformance suite looks for.
//!
//! ```sh
//! cargo run --example everything -- --http 127.0.0.1:8080
//! ```

mod asking;
mod changes;
mod content;
mod forms;
mod prompts;
mod resources;
mod tasks;
mod telling;
mod transport;

use changes::Switches;

mcp_runtime::main!(|server| server
    .title("Everything")
    .instructions("Every tool, prompt and resource here is for tests of clients.")
    .state(Switches::default()));
