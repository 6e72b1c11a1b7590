//! The stdio, HTTP and in-process transports and their options.
//!
//! A transport passes complete messages to the [`Dispatcher`](crate::Dispatcher) inside a tokio
//! runtime, and sends every reply exactly once. Only the HTTP transport inspects messages, because
//! it validates the headers that repeat parts of a message.

#[cfg(feature = "http")]
mod http;
mod memory;
mod output_queue;
mod process_group;
mod signal;
mod stderr_forwarder;
mod stdio;

#[cfg(feature = "http")]
pub use http::{HttpBody, HttpEndpoint, HttpListener, HttpOptions};
#[cfg(feature = "http-client")]
pub(crate) use http::{headers as header_names, mirrored_parameter};
pub(crate) use memory::MemoryTransport;
pub(crate) use process_group::ProcessGroup;
#[cfg(feature = "http")]
pub(crate) use signal::shutdown_signal;
pub(crate) use stderr_forwarder::StderrForwarder;
pub use stdio::StdioOptions;
pub(crate) use stdio::{HandlerRuntime, serve as serve_stdio};
