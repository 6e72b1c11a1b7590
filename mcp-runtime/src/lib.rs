//! An MCP server framework that turns Rust functions with doc comments into MCP tools.
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
//! [`#[tool]`](tool) checks the signature of the function at compile time and registers the
//! function. [`main!`] serves all tools that are linked into the binary over stdio or HTTP.
//! The server supports MCP clients of all protocol versions from 2024-11-05 to 2026-07-28.
//! Use [`#[prompt]`](prompt) to define a prompt and [`#[resource]`](resource) to define a
//! resource.
//!
//! # Parameters
//!
//! The owned parameters of a function are the tool's arguments. The client sends the arguments
//! as JSON, and the server validates them against a schema that is generated from the parameter
//! types. The server supplies the borrowed parameters. [`&Context`](Context) is the context of
//! the current request, and any other `&T` is a value that you register with [`Server::state`].
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
//! | a type that implements `Serialize` and `JsonSchema`, such as a type with [`#[json]`](json) | structured content, the same JSON as text, and an output schema |
//! | [`Structured`] | structured content and a custom text |
//! | [`Page`] | one page of a longer list |
//! | [`Image`], [`Audio`], [`ResourceLink`], [`Embedded`] and other types that implement [`Content`], and lists and tuples of these types | content blocks |
//! | `()` | a successful result without content |
//! | a type that implements [`ToolOutput`] | the result that [`ToolOutput::into_result`] returns |
//!
//! # Errors
//!
//! A tool may return `Result<T, E>`. If it returns an error, the client receives a result with
//! `isError` and the `Display` text of the error. The server logs the sources of the error but
//! does not send them to the client. Use [`ToolError`] and [`ErrorContext`] to choose the text
//! for the model and the text for the log.
//!
//! # Async, blocking and inline
//!
//! An `async fn` runs on the tokio runtime. A plain `fn` may block, because the server runs it
//! on a thread for blocking work. Use `#[tool(inline)]` for a short plain `fn` that never
//! blocks. The server runs such a function on the thread that read the request.
//!
//! # Where to go next
//!
//! - [`Server`] configures a server, for example its state, limits and authentication.
//! - [`Context`] sends log messages, progress notifications and input requests to the client.
//!   For example, [`elicit`](Context::elicit) sends a form to the user.
//! - [`auth`] authenticates and authorizes callers.
//! - [`audit`] records every call.
//! - [`Client`] connects to a server in the same process, in a child process, or over HTTP.
//! - [`transport`] contains the options of stdio and HTTP, and an HTTP service that you can
//!   mount in your own application.
//! - [`dispatch`] processes single messages. Use it to implement your own transport.
//! - [`testing`] checks schemas and sends malformed input to all tools of a server.
//!
//! The server creates a `tracing` span for each call. If the client sends a trace context, the
//! span belongs to the client's trace.
//!
//! # Features
//!
//! | feature | default | enables |
//! |---|---|---|
//! | `input-requests` | yes | tasks, and input requests to clients with protocol version 2026-07-28 |
//! | `cli` | yes | the command-line options of server binaries |
//! | `http` | yes | a Streamable HTTP listener, and a Streamable HTTP service for other HTTP servers |
//! | `http-client` | no | [`Client`] over Streamable HTTP |
//! | `jwt` | no | bearer tokens that are JSON Web Tokens |
//! | `sqlite` | no | a task store in an SQLite file, which keeps the tasks across restarts |
//! | `client-log` | no | log messages to clients from the `tracing` events of handlers |
//! | `otel` | no | OpenTelemetry attributes and parent spans for the `tracing` spans of calls |

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
struct ReadmeDoctests;

/// Compiles the examples of the guide to tracing as doctests.
#[cfg(all(doctest, feature = "client-log", feature = "otel"))]
#[doc = include_str!("../../docs/traces.md")]
struct TracesDoctests;

/// Completes the arguments of prompts and resource templates (`completion/complete`).
///
/// To set the completer of an argument, pass a function to `#[arg(complete = ...)]`. See
/// [`#[prompt]`](crate::prompt) for an example.
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
