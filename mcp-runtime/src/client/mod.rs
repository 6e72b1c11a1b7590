//! A client of any revision: for tests, for the command line, for programs.

mod arguments;
mod builder;
mod child;
mod connection;
mod duplex;
mod error;
mod handlers;
mod handshake;
#[cfg(feature = "http-client")]
mod http;
mod inbox;
mod link;
mod list;
mod tasks;

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use arguments::IntoArguments;
pub use builder::{ClientBuilder, LogMessage, Progress};
pub use connection::Side;
use connection::{Connection, notification};
pub use duplex::{DuplexDispatcher, DuplexError, DuplexHandler, HandlerError, ServerMessage};
pub use error::ClientError;
use link::Link;

use crate::context::{Channel, DRY_RUN};
use crate::dispatch::Dispatcher;
use crate::jsonrpc::RequestId;
use crate::protocol::{
    CallToolResult, ClientCapabilities, Implementation, InputRequest, InputRequiredResult,
    Revision, meta,
};
use crate::transport::Memory;

/// A connection to one server, in this process or in one of its own.
///
/// Requests may be made concurrently. A request whose future is dropped is
/// cancelled; no request is ever repeated by itself.
///
/// In 2026-07-28 a server may answer the call of a tool with a task: the client
/// looks at it as often as the server wants, answers its questions, and gives back
/// its result. All of that may take as long as a request may; then, or when the
/// future is dropped, the task is called off.
/// [`ClientBuilder::no_tasks`] does without.
///
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
    connection: Arc<Connection>,
    options: Arc<Options>,
    revision: Revision,
}

/// What a client says and allows.
#[derive(Debug)]
struct Options {
    info: Implementation,
    capabilities: ClientCapabilities,
    shows_progress: bool,
    timeout: Duration,
    rounds: u32,
    follows_tasks: bool,
}

/// The methods whose results may ask for input (specification of 2026-07-28,
/// *Multi round-trip requests*).
const MAY_ASK: [&str; 3] = ["prompts/get", "resources/read", CALLS];
/// The method whose work may go on as a task.
const CALLS: &str = "tools/call";

impl Client {
    /// A client that answers questions, shows progress, or starts a process.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Connects in `revision` to a server in this process.
    ///
    /// # Errors
    /// Those of the handshake.
    pub async fn connect(dispatcher: Dispatcher, revision: Revision) -> Result<Self, ClientError> {
        Self::through(Channel::Memory, dispatcher, revision).await
    }

    pub(crate) async fn through(
        channel: Channel,
        dispatcher: Dispatcher,
        revision: Revision,
    ) -> Result<Self, ClientError> {
        let builder = Self::builder().revision(revision);
        builder.through(channel, dispatcher).await
    }

    /// The revision that is spoken.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Where the messages go that the server begins; its handler can be replaced.
    #[must_use]
    pub fn duplex(&self) -> &DuplexDispatcher {
        self.connection.duplex()
    }

    /// Calls a tool; a failure of the tool is a result with `is_error`.
    ///
    /// # Errors
    /// What the server answers instead of a result.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: impl IntoArguments,
    ) -> Result<CallToolResult, ClientError> {
        let params = json!({ "name": name, "arguments": arguments.into_arguments()? });
        let result = self.request("tools/call", params).await?;
        Ok(serde_json::from_str(&result.to_string())?)
    }

    /// Takes a call of a tool up to its body, which does not run.
    ///
    /// The result says what would be done, as a failure: nothing was.
    ///
    /// ```
    /// # async fn example(client: mcp_runtime::Client) -> Result<(), mcp_runtime::ClientError> {
    /// let arguments = serde_json::json!({ "path": "notes/1" });
    /// let told = client.dry_run("delete", arguments).await?;
    /// println!("{}", told.first_text().unwrap_or_default());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
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

    /// Calls a tool for the value that it returns.
    ///
    /// The value is the structured content, or else the text.
    ///
    /// # Errors
    /// [`ClientError::Tool`] with the text of a failure; otherwise as [`call_tool`](Self::call_tool).
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
            // What is no object is wrapped by revisions that want one.
            Err(error) => match structured.get("result") {
                Some(value) => Ok(T::deserialize(value)?),
                None => Err(error.into()),
            },
        }
    }

    /// Sends any request and gives back its result.
    ///
    /// Where the result asks for input, the handlers answer and the request is
    /// made again with the answers. Where it is a task, the result is that of the task.
    ///
    /// # Errors
    /// [`ClientError::Protocol`] with the error that the server answered,
    /// [`ClientError::NoObject`] for parameters that are none, and the other
    /// variants as they say.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        let mut next = params.clone();
        for _ in 0..=self.options.rounds {
            let result = self.exchange(method, next).await?;
            match result["resultType"].as_str() {
                None | Some("complete") => return Ok(result),
                Some("input_required") if MAY_ASK.contains(&method) => {
                    next = self.answered(&params, result).await?;
                }
                Some("task") if method == CALLS && self.options.follows_tasks => {
                    return self.follow(&result).await;
                }
                Some(other) => return Err(ClientError::ResultType(other.to_owned())),
            }
        }
        Err(ClientError::TooManyRounds(self.options.rounds))
    }

    /// Sends one request and gives back its result, be it one that asks for input,
    /// or a task.
    ///
    /// In 2026-07-28, `_meta` of `params` may declare other capabilities than the
    /// client has by itself.
    ///
    /// # Errors
    /// As [`request`](Self::request).
    pub async fn exchange(&self, method: &str, params: Value) -> Result<Value, ClientError> {
        self.exchange_within(method, params, self.options.timeout)
            .await
    }

    async fn exchange_within(
        &self,
        method: &str,
        params: Value,
        timeout: Duration,
    ) -> Result<Value, ClientError> {
        let mut params = objects(params)?;
        if self.revision.is_modern() {
            let capabilities =
                handshake::capabilities_at(self.revision, &self.options.capabilities);
            params["_meta"][meta::PROTOCOL_VERSION] = json!(self.revision.as_str());
            let declared = &mut params["_meta"][meta::CLIENT_CAPABILITIES];
            if declared.is_null() {
                *declared = capabilities;
            }
            params["_meta"][meta::CLIENT_INFO] = json!(self.options.info);
        }
        let shows_progress = self.options.shows_progress;
        let params = |id: i64| {
            if shows_progress {
                params["_meta"]["progressToken"] = json!(id);
            }
            params
        };
        let result = self.connection.request(method, params, timeout).await?;
        Ok(serde_json::from_str(result.get())?)
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// [`ClientError::Disconnected`], and [`ClientError::NoObject`] for parameters
    /// that are none.
    pub fn notify(&self, method: &str, params: Value) -> Result<(), ClientError> {
        self.connection
            .send(&notification(method, objects(params)?))
    }

    /// Ends the conversation, and a session over HTTP at the server too; waits until
    /// a process has ended, as [`spawn`](ClientBuilder::spawn) says.
    ///
    /// Dropping the client does the same without waiting for it, which a program
    /// that ends at once cuts short.
    pub async fn close(self) {
        if let Ok(link) = self.connection.link() {
            link.close().await;
        }
    }

    /// The parameters with the answers to what a result asks.
    async fn answered(&self, params: &Value, result: Value) -> Result<Value, ClientError> {
        let InputRequiredResult {
            input_requests,
            request_state,
        } = serde_json::from_value(result)?;
        let mut responses = serde_json::Map::new();
        for (key, request) in input_requests {
            let answer = self.answer(&key, request).await?;
            responses.insert(key, answer);
        }
        let mut next = params.clone();
        if !responses.is_empty() {
            next["inputResponses"] = Value::Object(responses);
        }
        if let Some(state) = request_state {
            next["requestState"] = Value::String(state);
        }
        Ok(next)
    }

    async fn answer(&self, key: &str, request: InputRequest) -> Result<Value, ClientError> {
        let params = request.params.as_ref().map(serde_json::value::to_raw_value);
        let message = ServerMessage {
            // The handler is asked as by a request, although this one has no id on the wire.
            id: Some(RequestId::from(key)),
            method: request.method,
            params: params.transpose()?,
        };
        let answer = self.duplex().dispatch(message).await;
        let answer = answer.map_err(|source| ClientError::Unanswered {
            key: key.to_owned(),
            source,
        })?;
        Ok(answer.unwrap_or_else(|| json!({})))
    }
}

/// Parameters as the protocol wants them. What is `null` is not there, and becomes
/// an object where something is put into it.
fn objects(mut params: Value) -> Result<Value, ClientError> {
    let proper = |value: &Value| value.is_object() || value.is_null();
    if !proper(&params) {
        return Err(ClientError::NoObject("`params`"));
    }
    let meta = params.as_object_mut().and_then(|it| it.remove("_meta"));
    match meta {
        Some(meta) if !proper(&meta) => return Err(ClientError::NoObject("`_meta`")),
        Some(meta) if meta.is_object() => params["_meta"] = meta,
        _ => {}
    }
    Ok(params)
}

/// A link to a server in this process.
impl Link for Memory {
    fn send(&self, message: &[u8]) -> bool {
        self.deliver(message);
        true
    }
}
