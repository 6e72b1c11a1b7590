//! Checks messages against the wire rules of each protocol revision.
//!
//! Every message of a test is checked against the tables in `table`, which
//! define for each revision what is required, optional and forbidden.
//! If the environment variable `MCP_SCHEMA_DIR` names a directory with the
//! official schemas (`<revision>.json`) and an index of their definitions
//! (`map.json`), it is checked against these too.
//! A relative directory is relative to the root of the workspace.
//!
//! ```
//! use serde_json::json;
//! use support::wire::{Conversation, Revision, Rule};
//!
//! let mut conversation = Conversation::new(Revision::V2025_11_25);
//! conversation.sent_by_client(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
//! let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"pong": true}});
//! let problems = conversation.sent_by_server(&answer).unwrap_err();
//! assert_eq!(problems[0].pointer, "/result/pong");
//! assert_eq!(problems[0].rule, Rule::Undeclared);
//! ```

mod check;
mod conversation;
mod format;
mod official;
mod problem;
mod revision;
mod table;
#[cfg(test)]
mod tests;

pub use conversation::Conversation;
pub use problem::{Problem, Problems, Rule};
pub use revision::Revision;
