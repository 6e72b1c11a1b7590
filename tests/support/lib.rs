//! What the tests share: clients and servers whose messages are all checked.
//!
//! [`wire`] is the checker; everything else drives a server through one transport
//! and passes every message through it. Tools are not defined here, because every
//! binary that links this library would serve them.

pub mod access;
pub mod checked_client;
pub mod dispatcher_client;
pub mod http_client;
pub mod http_connection;
pub mod http_server;
mod inbox;
pub mod process;
pub mod wire;

pub use inbox::Inbox;
