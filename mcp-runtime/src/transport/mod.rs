//! Moves bytes between a client and the dispatcher.
//!
//! A transport owes the dispatcher whole frames and a tokio runtime to be in,
//! and owes the client every reply exactly once. Only `http` looks into a message,
//! where the protocol repeats it in headers.

#[cfg(feature = "http")]
mod http;
mod memory;
mod signal;
mod stdio;

#[cfg(feature = "http")]
pub use http::{HttpBody, HttpEndpoint, HttpListener, HttpOptions};
#[cfg(feature = "http-client")]
pub(crate) use http::{headers as header_names, naming};
pub(crate) use memory::Memory;
#[cfg(feature = "http")]
pub(crate) use signal::stopped;
pub(crate) use signal::terminate;
pub use stdio::StdioOptions;
pub(crate) use stdio::{Workers, serve as serve_stdio};
