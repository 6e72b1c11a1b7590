//! JSON-RPC 2.0 as MCP uses it: messages read without copying, replies written in place.
//!
//! Knows nothing of MCP's methods, of async or of any transport.

mod error;
mod id;
mod members;
mod message;
mod write;

pub use error::{ErrorCode, ErrorObject};
pub use id::RequestId;
pub(crate) use members::{Members, text};
pub(crate) use message::string;
pub use message::{Frame, Malformed, Message, Notification, Request, Response};
pub(crate) use write::{write_error, write_result};
