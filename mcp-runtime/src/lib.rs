//! An MCP server framework: a Rust function with a doc comment is an MCP tool.
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
//! This file is a complete server, and this crate is its only dependency.
//! [`#[tool]`](tool) checks the signature at compile time and registers the function.
//! [`main!`] serves every tool linked into the binary, over stdio or HTTP, to MCP
//! clients of all protocol revisions from 2024-11-05 to 2026-07-28.
//! Prompts ([`#[prompt]`](prompt)) and resources ([`#[resource]`](resource)) work
//! the same way.
//!
//! # Parameters
//!
//! Owned parameters are the tool's arguments: the client sends them as JSON, and
//! they are validated against a schema that is generated from their types.
//! Borrowed parameters come from the server: [`&Context`](Context) is the current
//! request, and any other `&T` is a value registered with [`Server::state`].
//!
//! ```no_run
//! use mcp_runtime::prelude::*;
//!
//! struct Greeting(&'static str);
//!
//! /// Greets a person by name.
//! #[tool(read_only, inline)]
//! fn greet(greeting: &Greeting, name: String) -> String {
//!     format!("{}, {name}!", greeting.0)
//! }
//!
//! mcp_runtime::main!(|server| server.state(Greeting("Hello")));
//! ```
//!
//! # Results
//!
//! | return type | result |
//! |---|---|
//! | `String`, `&str` | text |
//! | any type with `Serialize` and `JsonSchema`, such as one with [`#[json]`](json) | structured content, its JSON as text, and an output schema |
//! | [`Structured`] | structured content with your own text |
//! | [`Page`] | one page of a longer list |
//! | [`Content`], [`Image`], [`Audio`], [`ResourceLink`], [`Embedded`], also in lists and tuples | content blocks |
//! | `()` | an empty success |
//! | a type that implements [`ToolOutput`] | what the implementation returns |
//!
//! # Errors
//!
//! A tool may return `Result<T, E>`. The `Display` of the error becomes a result
//! with `isError`, which the model reads; the chain of causes goes to the log only.
//! [`ToolError`] and [`ErrorContext`] give you control over both.
//!
//! # Async, blocking and inline
//!
//! An `async fn` runs on the tokio runtime. A plain `fn` may block: it runs on a
//! thread where that does no harm. `#[tool(inline)]` marks a plain `fn` that only
//! computes, and runs it where the request was read.
//!
//! # Where to go next
//!
//! - [`Server`] builds and configures a server: state, limits, authentication, HTTP.
//! - [`Context`] logs, reports progress, and requests input from the client, such as
//!   [`elicit`](Context::elicit) for a form.
//! - [`auth`] identifies callers and decides what they may use; [`audit`] records
//!   every call.
//! - [`Client`] calls a server: in this process, as a child process, or over HTTP.
//! - [`transport`] holds the options of stdio and HTTP, and an HTTP service to mount
//!   in your own application.
//! - [`dispatch`] answers single messages, for a transport of your own.
//! - [`testing`] checks schemas and sends malformed input to all tools of a server.
//!
//! Every call has a `tracing` span that continues the client's trace.
//!
//! # Features
//!
//! | feature | default | enables |
//! |---|---|---|
//! | `input-requests` | yes | input requests to clients of 2026-07-28, and tasks; both need random numbers and sealed state |
//! | `cli` | yes | the command line of a server's binary |
//! | `http` | yes | Streamable HTTP, as a service to mount and as a listener |
//! | `http-client` | no | [`Client`] over Streamable HTTP |
//! | `jwt` | no | JSON Web Tokens as bearer tokens |
//! | `sqlite` | no | a task store in SQLite, which survives a restart |
//! | `client-log` | no | sends the `tracing` events of handlers to clients as log messages |
//! | `otel` | no | OpenTelemetry attributes and parents for the spans of calls |

#[doc(hidden)]
pub mod __private;
mod argument;
pub mod audit;
pub mod auth;
mod call;
#[cfg(feature = "cli")]
mod cli;
pub mod client;
#[cfg(feature = "client-log")]
mod client_log;
mod clock;
mod codec;
pub mod context;
pub mod dispatch;
mod entry;
pub mod error;
mod handler;
pub mod jsonrpc;
mod limits;
pub mod output;
pub mod prelude;
pub mod protocol;
mod registry;
mod schema;
mod seal;
mod server;
pub mod task;
pub mod testing;
mod text;
pub mod transport;
mod uri_template;

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// Compiles the examples of the guide to tracing as doctests.
#[cfg(all(doctest, feature = "client-log", feature = "otel"))]
#[doc = include_str!("../../docs/traces.md")]
struct Traces;

/// Completes the arguments of prompts and resource templates (`completion/complete`).
///
/// A completer is a function named by `#[arg(complete = ...)]`; see [`#[prompt]`](crate::prompt).
pub mod completion {
    pub use crate::argument::{Completable, CompletionRequest};
}

pub use call::{Middleware, Next, ToolCall};
#[doc(inline)]
pub use client::{Client, ClientError};
#[cfg(feature = "client-log")]
pub use client_log::ClientLog;
#[doc(inline)]
pub use context::{Context, Elicited, InputRequestError};
#[doc(inline)]
pub use dispatch::{Dispatcher, ServerHandle};
#[doc(inline)]
pub use error::{Error, ErrorContext, ToolError};
pub use limits::Rate;
pub use mcp_macros::{json, prompt, resource, tool, tools};
#[doc(inline)]
pub use output::{
    Content, Cursor, Id64, Page, PromptOutput, ResourceOutput, Structured, ToolOutput,
};
pub use protocol::{
    AudioContent as Audio, EmbeddedResource as Embedded, ImageContent as Image, ResourceLink, Role,
    TextContent as Text,
};
pub use serde_json::Value;
pub use server::Server;
