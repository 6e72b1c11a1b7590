//! Notifications about changes: the handle that makes changes, and the sessions
//! and listen streams that are notified.
//!
//! From bottom to top: `list_changes`, `listen_stream`, `subscribers`,
//! `update_throttle`, `server_handle`.

pub(in crate::dispatch) mod list_changes;
pub(in crate::dispatch) mod listen_stream;
pub(in crate::dispatch) mod server_handle;
pub(in crate::dispatch) mod subscribers;
mod update_throttle;
