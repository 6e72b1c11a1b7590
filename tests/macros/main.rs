//! Keys of the macros, and their effect on lists and calls.

mod argument_rules;
mod attribute_keys;
mod impl_blocks;
mod json_types;

use mcp_runtime::Server;
use support::dispatcher_client::DispatcherClient;
use support::wire::Revision;

/// A client of the tools that need no state.
fn client(revision: Revision) -> DispatcherClient {
    let server = Server::new("tests", "1.2.3").groups(["files"]);
    DispatcherClient::connect(server, revision)
}
