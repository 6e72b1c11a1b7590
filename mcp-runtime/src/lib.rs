//! A Rust function with a doc comment is an MCP tool.
//!
//! ```no_run
//! use mcp_runtime::prelude::*;
//!
//! /// Adds two whole numbers.
//! #[tool(read_only)]
//! fn add(
//!     /// The first addend.
//!     a: i64,
//!     /// The second addend.
//!     #[arg(default = 1)]
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! mcp_runtime::main!();
//! ```
//!
//! That file is a complete server, and this crate its only dependency.
//! [`tool`] checks the signature when it is compiled, and registers the function;
//! [`main!`] serves every tool that is linked into the binary to MCP clients of
//! all revisions from 2024-11-05 to 2026-07-28.
//!
//! - Owned parameters come from the caller; borrowed ones come from the server:
//!   [`&Context`](Context) is the request, any other `&T` a value given to
//!   [`Server::state`].
//! - A returned value that serializes is structured output; [`Structured`] gives it
//!   a text, [`Page`] a next page, [`Content`] is pictures and the like, and
//!   [`ToolOutput`] is for all else.
//! - An `Err` is told to the model; see [`ToolError`].
//! - An `async fn` is awaited, a plain `fn` may block, and `inline` is for what
//!   only computes.
//! - Every call has a `tracing` span, part of its client's trace. With the feature
//!   `otel` it follows the conventions of OpenTelemetry for MCP, and any layer of
//!   `tracing-opentelemetry` exports it; with `client-log` a server can tell
//!   clients what handlers log.
//! - [`Server`] builds a server by hand, and [`Client`] calls one: in this process,
//!   as a process of its own, or over HTTP.
//!
//! | feature | brings |
//! |---|---|
//! | `asking` (default) | questions to clients of 2026-07-28, whose state is sealed |
//! | `cli` (default) | the commands of a server's own binary |
//! | `http` (default) | Streamable HTTP, as a service to mount and as a listener |
//! | `http-client` | the client over Streamable HTTP |
//! | `jwt` | JSON Web Tokens as bearer tokens |
//! | `sqlite` | tasks that survive their server |
//! | `client-log` | what handlers log with `tracing`, told to their clients |
//! | `otel` | calls as spans of OpenTelemetry |

#[doc(hidden)]
pub mod __private;
mod argument;
pub mod audit;
pub mod auth;
mod call;
#[cfg(feature = "cli")]
mod cli;
mod client;
#[cfg(feature = "client-log")]
mod client_log;
mod clock;
mod codec;
mod context;
mod dispatch;
mod entry;
mod error;
mod handler;
pub mod jsonrpc;
mod limits;
mod output;
pub mod prelude;
pub mod protocol;
mod registry;
mod schema;
mod seal;
mod server;
mod task;
pub mod testing;
mod text;
mod transport;
mod uri_template;

/// The code of the README, which must compile too.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(all(doctest, feature = "client-log", feature = "otel"))]
#[doc = include_str!("../../docs/traces.md")]
struct Traces;

pub use argument::{Completable, Completing};
pub use call::{Layer, Stage, StageEffect, ToolBody, ToolCall};
pub use client::{
    Client, ClientBuilder, ClientError, DuplexDispatcher, DuplexError, DuplexHandler, HandlerError,
    IntoArguments, LogMessage, Progress, ServerMessage, Side,
};
#[cfg(feature = "client-log")]
pub use client_log::ClientLog;
pub use context::{
    AskError, Channel, ClientProfile, Context, Elicited, Eliciting, Injected, Outgoing, Together,
};
pub use dispatch::{
    Added, Answer, Dispatched, Dispatcher, Method, MethodCall, Next, Peer, Pending, ServerHandle,
    Status,
};
pub use error::{Error, ErrorContext, Location, ToolError};
pub use limits::Rate;
pub use mcp_macros::{json, prompt, resource, tool, tools};
pub use output::{
    Content, Cursor, Id64, Integer64, Page, PromptOutput, ResourceOutput, Structured, ToolOutput,
    schema_of,
};
pub use protocol::{
    AudioContent as Audio, EmbeddedResource as Embedded, ImageContent as Image, ResourceLink, Role,
    TextContent as Text,
};
pub use schema::Elicitable;
pub use serde_json::Value;
pub use server::Server;
#[cfg(feature = "sqlite")]
pub use task::SqliteTaskStore;
pub use task::{MemoryTaskStore, TaskRecord, TaskStore, TaskStoreError};
pub use transport::StdioOptions;
#[cfg(feature = "http")]
pub use transport::{HttpBody, HttpEndpoint, HttpListener, HttpOptions};
pub use uri_template::UriTemplateError;
