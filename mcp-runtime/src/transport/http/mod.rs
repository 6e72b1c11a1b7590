//! Streamable HTTP: every revision on one path
//! (specification, *Transports*, *Streamable HTTP*).
//!
//! [`HttpEndpoint`] answers requests and knows no sockets; [`listen`] knows
//! sockets and no messages.

mod authenticate;
mod body;
mod clients;
mod connection;
mod cors;
mod endpoint;
mod event;
mod exchange;
mod gate;
mod hands;
pub(crate) mod headers;
mod limit;
mod listen;
mod log;
mod mirror;
mod old;
mod options;
mod pace;
mod post;
mod read;
mod respond;
mod session;
mod sessions;
mod steady;
mod stream;

pub use body::HttpBody;
pub use endpoint::HttpEndpoint;
pub use listen::HttpListener;
#[cfg(feature = "http-client")]
pub(crate) use mirror::naming;
pub use options::HttpOptions;
