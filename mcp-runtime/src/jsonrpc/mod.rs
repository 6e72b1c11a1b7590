//! Parses and writes the messages of JSON-RPC 2.0 that MCP uses.
//!
//! This module does not depend on the methods of MCP, on an async runtime or on a transport.

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
