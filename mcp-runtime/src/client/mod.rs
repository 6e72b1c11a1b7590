//! A client, for tests and for the command line.

mod error;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use error::ClientError;

use crate::context::{Channel, Nowhere};
use crate::dispatch::{Dispatcher, Peer};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CallToolResult, Implementation, ListToolsResult, Revision, Tool, meta};
use crate::transport::Memory;

/// A client inside the process of its server, speaking any revision.
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
    transport: Memory,
    revision: Revision,
    next_id: AtomicI64,
}

impl Client {
    /// Connects in `revision`, with a handshake where it has one.
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
        let client = Self {
            transport: Memory::new(dispatcher, Peer::through(channel, Arc::new(Nowhere))),
            revision,
            next_id: AtomicI64::new(1),
        };
        if !revision.is_modern() {
            client.initialize().await?;
        }
        Ok(client)
    }

    async fn initialize(&self) -> Result<(), ClientError> {
        let params = json!({
            "protocolVersion": self.revision.as_str(),
            "capabilities": {},
            "clientInfo": own_info(),
        });
        self.request("initialize", params).await?;
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.transport
            .exchange(initialized.to_string().as_bytes())
            .await;
        Ok(())
    }

    /// The revision that is spoken.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The tools of the server, sorted by name.
    ///
    /// # Errors
    /// What the server answers instead of a list.
    pub async fn list_tools(&self) -> Result<Vec<Tool>, ClientError> {
        let result = self.request("tools/list", json!({})).await?;
        let result: ListToolsResult = serde_json::from_value(result)?;
        Ok(result.tools)
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
        Ok(serde_json::from_value(result)?)
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
    /// # Errors
    /// [`ClientError::Protocol`] with the error that the server answered.
    pub async fn request(&self, method: &str, mut params: Value) -> Result<Value, ClientError> {
        if self.revision.is_modern() {
            params["_meta"] = json!({
                meta::PROTOCOL_VERSION: self.revision.as_str(),
                meta::CLIENT_CAPABILITIES: {},
                meta::CLIENT_INFO: own_info(),
            });
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let reply = self
            .send(&request.to_string())
            .await
            .ok_or(ClientError::NoReply)?;
        let mut reply: Value = serde_json::from_str(&reply)?;
        match (reply["result"].take(), reply["error"].take()) {
            (Value::Null, error) => {
                let error: ErrorObject = serde_json::from_value(error)?;
                Err(ClientError::Protocol(error))
            }
            (result, _) => Ok(result),
        }
    }

    /// Sends a text as it is, and gives back the reply, if any, as it is.
    pub async fn send(&self, message: &str) -> Option<String> {
        let reply = self.transport.exchange(message.as_bytes()).await?;
        String::from_utf8(reply).ok()
    }
}

/// Arguments for a tool: anything that serializes to an object, or pairs of one value type.
pub trait IntoArguments {
    /// The object to send.
    ///
    /// # Errors
    /// Those of serializing.
    fn into_arguments(self) -> Result<Value, serde_json::Error>;
}

impl<T: Serialize> IntoArguments for &T {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

impl IntoArguments for Value {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        Ok(self)
    }
}

impl IntoArguments for () {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        Ok(json!({}))
    }
}

impl<V: Serialize, const N: usize> IntoArguments for [(&str, V); N] {
    fn into_arguments(self) -> Result<Value, serde_json::Error> {
        let pairs = self.into_iter();
        let pairs = pairs.map(|(name, value)| Ok((name.to_owned(), serde_json::to_value(value)?)));
        pairs.collect()
    }
}

fn own_info() -> Implementation {
    Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}
