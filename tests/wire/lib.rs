//! Checks messages against the wire rules of each protocol revision.
//!
//! ```ignore
//! let mut conversation = Conversation::new(Revision::V2025_11_25);
//! conversation.sent_by_client(&request);
//! conversation.sent_by_server(&response).unwrap();
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
