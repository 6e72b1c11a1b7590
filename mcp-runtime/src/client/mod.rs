//! A client that speaks every revision, for tests, the command line and programs.

mod arguments;
mod budget;
mod builder;
mod child_process;
mod connection;
mod duplex;
mod error;
mod handlers;
mod handshake;
#[cfg(feature = "http-client")]
mod http;
#[cfg(feature = "http-client")]
mod http_builder;
mod inbox;
mod list;
mod message;
mod notification;
mod receive;
mod requests;
mod running_handlers;
mod tasks;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use arguments::IntoArguments;
pub use builder::ClientBuilder;
use connection::ClientConnection;
pub use connection::Direction;
pub use duplex::{DuplexDispatcher, DuplexError, DuplexHandler, HandlerError, ServerMessage};
pub use error::ClientError;
pub use notification::{LogMessage, Progress};
use transport::ClientTransport;

use crate::context::{DRY_RUN, TransportKind};
use crate::dispatch::Dispatcher;
use crate::protocol::{CallToolResult, ClientCapabilities, Implementation, Revision};
use crate::transport::MemoryTransport;

/// A client that is connected to one server, in this process, in a child process, or
/// over HTTP.
///
/// Requests can be sent concurrently. Dropping the future of a request cancels it.
/// The client never repeats a request by itself.
///
/// In 2026-07-28 a server may return a task for a tool call. The client then polls the
/// task at the interval that the server wants, handles its input requests, and returns
/// its result. All of this counts towards the [timeout](ClientBuilder::timeout) of the
/// request; on a timeout, or if the future is dropped, the client cancels the task.
/// [`ClientBuilder::without_tasks`] turns tasks off.
///
/// # Examples
/// ```standalone_crate
/// use mcp_runtime::prelude::*;
///
/// /// Adds two whole numbers.
/// #[tool(read_only, inline)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = mcp_runtime::server!().client().await?;
/// let sum: i64 = client.call("add", [("a", 2), ("b", 3)]).await?;
/// assert_eq!(sum, 5);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Client {
    connection: Arc<ClientConnection>,
    options: Arc<ClientOptions>,
    revision: Revision,
}

#[derive(Debug)]
struct ClientOptions {
    info: Implementation,
    capabilities: ClientCapabilities,
    wants_progress: bool,
    timeout: Duration,
    max_input_rounds: u32,
    follows_tasks: bool,
}

impl Client {
    /// Returns a builder, for a client that handles input requests and notifications,
    /// starts a process, or connects over HTTP.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Connects to a server in this process and speaks `revision`.
    ///
    /// # Errors
    /// Those of the handshake.
    ///
    /// # Examples
    /// ```standalone_crate
    /// use mcp_runtime::{Client, Server, prelude::*, protocol::Revision};
    ///
    /// # /// Adds.
    /// # #[tool(inline)]
    /// # fn add(a: i64, b: i64) -> i64 { a + b }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let dispatcher = Server::new("example", "1.0.0").build()?;
    /// let client = Client::connect(dispatcher, Revision::V2025_06_18).await?;
    /// assert_eq!(client.list_tools().await?.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn connect(dispatcher: Dispatcher, revision: Revision) -> Result<Self, ClientError> {
        Self::connect_as(TransportKind::Memory, dispatcher, revision).await
    }

    pub(crate) async fn connect_as(
        transport: TransportKind,
        dispatcher: Dispatcher,
        revision: Revision,
    ) -> Result<Self, ClientError> {
        let builder = Self::builder().revision(revision);
        builder.connect_as(transport, dispatcher).await
    }

    /// Returns the revision that the client speaks with this server.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the dispatcher of the messages that the server initiates; its handler
    /// can be replaced, see [`DuplexDispatcher`].
    #[must_use]
    pub fn duplex(&self) -> &DuplexDispatcher {
        self.connection.duplex()
    }

    /// Calls a tool and returns its result; a tool that fails has a result with
    /// `is_error`.
    ///
    /// # Errors
    /// [`ClientError::Protocol`] if the server responds with an error, or one of the
    /// other variants.
    ///
    /// # Examples
    /// ```
    /// # async fn example(client: mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// let result = client.call_tool("add", [("a", 2), ("b", 3)]).await?;
    /// assert_eq!(result.first_text(), Some("5"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: impl IntoArguments,
    ) -> Result<CallToolResult, ClientError> {
        let params = json!({ "name": name, "arguments": arguments.into_arguments()? });
        let result = self.request("tools/call", params).await?;
        Ok(serde_json::from_str(&result.to_string())?)
    }

    /// Runs all checks of a tool call, but not its handler.
    ///
    /// The result describes the call that would run. It has `is_error`, since the call
    /// did not run.
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
    ///
    /// # Examples
    /// ```
    /// # async fn example(client: mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// let arguments = serde_json::json!({ "path": "notes/1" });
    /// let result = client.dry_run("delete", arguments).await?;
    /// println!("{}", result.first_text().unwrap_or_default());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn dry_run(
        &self,
        name: &str,
        arguments: impl IntoArguments,
    ) -> Result<CallToolResult, ClientError> {
        let arguments = arguments.into_arguments()?;
        let meta = json!({ DRY_RUN: true });
        let params = json!({ "name": name, "arguments": arguments, "_meta": meta });
        let result = self.request("tools/call", params).await?;
        Ok(serde_json::from_str(&result.to_string())?)
    }

    /// Calls a tool and deserializes the value that it returns.
    ///
    /// The value is the structured content, or the text if there is none. See
    /// [`Client`] for an example.
    ///
    /// # Errors
    /// [`ClientError::Tool`] with the text of the result if the tool fails; otherwise as
    /// [`call_tool`](Self::call_tool).
    pub async fn call<T: DeserializeOwned>(
        &self,
        name: &str,
        arguments: impl IntoArguments,
    ) -> Result<T, ClientError> {
        let result = self.call_tool(name, arguments).await?;
        let text = result.first_text().unwrap_or("").to_owned();
        if result.is_error {
            return Err(ClientError::Tool(text));
        }
        let Some(structured) = result.structured_content else {
            let parsed = serde_json::from_str(&text);
            return Ok(parsed.or_else(|_| serde_json::from_value(Value::String(text)))?);
        };
        let structured: Value = serde_json::from_str(structured.get())?;
        match T::deserialize(&structured) {
            Ok(value) => Ok(value),
            // Older revisions wrap a value that is not an object in `result`.
            Err(error) => match structured.get("result") {
                Some(value) => Ok(T::deserialize(value)?),
                None => Err(error.into()),
            },
        }
    }

    /// Closes the connection.
    ///
    /// Over HTTP this ends the session at the server; for a child process it waits until
    /// the process has ended, see [`spawn`](ClientBuilder::spawn).
    ///
    /// Dropping the client does the same in the background, which may not complete if
    /// the program ends immediately.
    pub async fn close(self) {
        if let Ok(transport) = self.connection.transport() {
            transport.close().await;
        }
    }
}

impl ClientTransport for MemoryTransport {
    fn send(&self, message: &[u8]) -> bool {
        self.dispatch(message);
        true
    }
}
