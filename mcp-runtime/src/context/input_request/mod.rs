//! Requests to the client during a call: elicitation, sampling and roots. The API is the same in
//! every protocol revision.
//!
//! A client with a session receives a server-to-client request, and the handler waits for the
//! response. A stateless client (protocol version 2026-07-28) receives the input requests as the
//! result of its call. It then sends the call again together with the responses. The handler runs
//! again from its beginning, and this time each request returns its response.

mod client_request;
mod elicit;
mod error;
mod exchange;
mod form_check;
mod join;
mod memo;
mod pending;
mod task_inbox;

use serde_json::json;

use client_request::{ClientRequest, RequiredCapability};
pub use elicit::ElicitFuture;
pub use error::InputRequestError;
pub use form_check::{FormCheck, FormCheckFallback};
pub use join::Join;
pub(crate) use pending::{CallMemo, PendingInputRequests, Suspension};
pub(crate) use task_inbox::TaskInbox;

use super::Context;
use crate::codec;
use crate::protocol::{CreateMessageRequestParams, CreateMessageResult, ListRootsResult, Root};

/// The user's response to an elicitation request.
///
/// See [`Context::elicit`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The user accepted the request and provided this content.
    Accepted(T),
    /// The user declined the request.
    Declined,
    /// The user dismissed the request without a choice.
    Cancelled,
}

impl<T> Elicited<T> {
    /// Returns the accepted content, or `None` if the user has declined or cancelled.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

/// Methods that send requests to the client.
///
/// Each request has a key that is unique within its call. In protocol version 2026-07-28 the
/// handler **runs again from its beginning** after each round of responses, and everything before a
/// request happens again. To keep a value across these runs, use [`once`](Self::once). A handler
/// must send the same requests in each run. It does so if the requests depend only on the
/// arguments, the responses and values from `once`.
///
/// Use [`Server::input_timeout`](crate::Server::input_timeout) to limit how long a client may take
/// to respond.
impl Context {
    /// Requests a completion from the client's model (sampling). The request can contain tools.
    ///
    /// Sampling is deprecated in protocol version 2026-07-28, but clients still support it.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::protocol::CreateMessageRequestParams;
    ///
    /// /// Shortens a text.
    /// #[tool]
    /// async fn shorten(ctx: &Context, text: String) -> Result<String, ToolError> {
    ///     let request = CreateMessageRequestParams::user_message(format!("Shorten: {text}"), 200);
    ///     let answer = ctx.sample("shorter", request).await?;
    ///     Ok(answer.first_text().unwrap_or_default().to_owned())
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent or has no valid response; see
    /// [`InputRequestError`].
    pub async fn sample(
        &self,
        key: &str,
        mut params: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, InputRequestError> {
        // Remove the hint `includeContext` for clients that do not accept it (specification,
        // *Sampling*).
        if !RequiredCapability::allows_context(&self.client.capabilities, self.revision) {
            params.include_context = None;
        }
        let with_tools = params.tools.is_some() || params.tool_choice.is_some();
        let capability = match with_tools {
            true => RequiredCapability::SamplingTools,
            false => RequiredCapability::Sampling,
        };
        let params = codec::sampling_params(params, self.revision)
            .map_err(|missing| capability.unsupported(key, missing))?;
        let request = ClientRequest {
            method: "sampling/createMessage",
            params,
            capability,
        };
        self.request_input(key, request, Ok).await
    }

    /// Requests the root directories that the client works with. The key of the request is `roots`.
    ///
    /// Roots are hints and grant no access to the directories. They are deprecated in protocol
    /// version 2026-07-28, but clients still support them.
    ///
    /// See [`join`](Self::join) for an example.
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent or has no valid response; see
    /// [`InputRequestError`].
    pub async fn roots(&self) -> Result<Vec<Root>, InputRequestError> {
        self.roots_with_key("roots").await
    }

    /// Requests the root directories like [`roots`](Self::roots), but with another key.
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent or has no valid response; see
    /// [`InputRequestError`].
    pub async fn roots_with_key(&self, key: &str) -> Result<Vec<Root>, InputRequestError> {
        let request = ClientRequest {
            method: "roots/list",
            params: json!({}),
            capability: RequiredCapability::Roots,
        };
        let read = |result: ListRootsResult| Ok(result.roots);
        self.request_input(key, request, read).await
    }

    /// Sends several input requests at once and waits for all responses.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # #[json]
    /// # struct Name { name: String }
    /// /// Greets the user.
    /// #[tool]
    /// async fn greet(ctx: &Context) -> Result<String, ToolError> {
    ///     let name = ctx.elicit::<Name>("name", "What is your name?");
    ///     let (name, roots) = ctx.join((name, ctx.roots())).await?;
    ///     Ok(format!("{:?} has {} roots", name.accepted().map(|it| it.name), roots.len()))
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns the error of the first request that fails.
    pub async fn join<R: Join>(&self, requests: R) -> Result<R::Results, InputRequestError> {
        requests.join().await
    }
}
