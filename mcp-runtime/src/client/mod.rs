//! An MCP client that supports every protocol revision.

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

/// A client that is connected to one server. The server runs in this process, in a child process,
/// or behind HTTP.
///
/// You can send requests concurrently. Dropping the future of a request cancels the request. The
/// client never repeats a request automatically.
///
/// In protocol version 2026-07-28, a server may return a task for a tool call. The client then
/// polls the task at the interval that the server sets, handles the input requests of the task, and
/// returns its result. The whole task counts towards the [timeout](ClientBuilder::timeout) of the
/// request. The client cancels the task after this timeout, or if you drop the future.
/// [`ClientBuilder::without_tasks`] disables tasks.
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
    /// Returns a builder of a client. Use it to handle input requests and notifications, to start a
    /// server process, or to connect over HTTP.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Connects to a server in this process with the protocol revision `revision`.
    ///
    /// # Errors
    /// Returns an error if the handshake fails.
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

    /// Returns the protocol revision of the connection.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the dispatcher for messages that the server initiates. You can replace its handler,
    /// see [`DuplexDispatcher`].
    #[must_use]
    pub fn duplex(&self) -> &DuplexDispatcher {
        self.connection.duplex()
    }

    /// Calls a tool and returns its result. If the tool fails, the result has `is_error`.
    ///
    /// # Errors
    /// Returns [`ClientError::Protocol`] if the server responds with an error, and another variant
    /// if the request cannot be sent or fails.
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

    /// Checks a tool call without running the handler of the tool.
    ///
    /// The result describes the call. It has `is_error`, because the handler did not run.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`call_tool`](Self::call_tool).
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

    /// Calls a tool and deserializes its return value.
    ///
    /// The client deserializes the structured content of the result, or its text if the result has
    /// no structured content. See [`Client`] for an example.
    ///
    /// # Errors
    /// Returns [`ClientError::Tool`] with the text of the result if the tool fails. Otherwise,
    /// returns an error in the same cases as [`call_tool`](Self::call_tool).
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
            // A server with an older revision wraps a value that is not an object in `result`.
            Err(error) => match structured.get("result") {
                Some(value) => Ok(T::deserialize(value)?),
                None => Err(error.into()),
            },
        }
    }

    /// Closes the connection.
    ///
    /// Over HTTP, this ends the session at the server. For a child process, this waits until the
    /// process has exited, see [`spawn`](ClientBuilder::spawn).
    ///
    /// Dropping the client closes the connection in the background. This may not complete if the
    /// program exits immediately.
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
