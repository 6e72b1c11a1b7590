//! JSON-RPC 2.0 as MCP uses it: messages are parsed without copying, and replies are
//! written in place.
//!
//! This module is independent of the methods of MCP, of async and of transports.

mod error;
mod id;
mod members;
mod message;
mod write;

pub use error::{ErrorCode, ErrorObject};
pub use id::RequestId;
pub(crate) use members::{Members, decode_string, parse_lossy};
pub use message::{Frame, InvalidMessage, Message, Notification, Request, Response};
pub(crate) use write::{write_error, write_result};
