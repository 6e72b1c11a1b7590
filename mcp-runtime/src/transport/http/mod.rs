//! The Streamable HTTP transport, which serves every protocol version at one path
//! (specification, *Transports*, *Streamable HTTP*).
//!
//! Each module uses only modules that come before it in this list:
//!
//! 1. Settings and formats: `options`, `headers` and `origin_check` (request headers),
//!    `header_validation` (compares headers with the body), `request_body`, and `sse`
//!    (the text format of events).
//! 2. Scheduling: `activity` (of a connection), `blocking_pool`, `response_timer`, `write_timeout`.
//! 3. Streams: `event_queue` (of one connection), `event_store` (of a session), `event_stream`
//!    (the messages about one request), and `server_streams` (the messages about no request).
//! 4. Callers: `caller` (authentication), `session`, `sessions`.
//! 5. Responses: `body`, `responses`, `auth_responses`, `cors`.
//! 6. Handlers: `state` (shared by all requests), `http_sse` (version 2024-11-05),
//!    `post_response` and `post`, `session_requests` (GET and DELETE).
//! 7. Assembly: `endpoint` routes requests and does not use sockets. `listen` serves
//!    sockets and does not use messages.

mod activity;
mod auth_responses;
mod blocking_pool;
mod body;
mod caller;
mod cors;
mod endpoint;
mod event_queue;
mod event_store;
mod event_stream;
mod header_validation;
pub(crate) mod headers;
mod http_sse;
mod listen;
mod options;
mod origin_check;
mod post;
mod post_response;
mod request_body;
mod response_timer;
mod responses;
mod server_streams;
mod session;
mod session_requests;
mod sessions;
mod sse;
mod state;
mod write_timeout;

pub use body::HttpBody;
pub use endpoint::HttpEndpoint;
#[cfg(feature = "http-client")]
pub(crate) use header_validation::mirrored_parameter;
pub use listen::HttpListener;
pub use options::HttpOptions;
