//! Notifications about changes of the served definitions, resources and tasks.
//!
//! Each module uses only the modules before it in this order: `list_changes`, `listen_stream`,
//! `subscribers`, `update_throttle`, `server_handle`.

pub(in crate::dispatch) mod list_changes;
pub(in crate::dispatch) mod listen_stream;
pub(in crate::dispatch) mod server_handle;
pub(in crate::dispatch) mod subscribers;
mod update_throttle;
