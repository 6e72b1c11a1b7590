use std::borrow::Cow;
use std::time::Duration;

use crate::jsonrpc::ErrorObject;
use crate::protocol::ClientCapabilities;

/// The reason why a request to the client has no result.
///
/// If the user declines or cancels, the request has a result and no error; see
/// [`Elicited`](super::Elicited).
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::InputRequestError;
///
/// /// Counts the roots of the client.
/// #[tool]
/// async fn count_roots(ctx: &Context) -> Result<usize, ToolError> {
///     match ctx.roots().await {
///         Ok(roots) => Ok(roots.len()),
///         Err(InputRequestError::Unsupported { .. }) => Ok(0),
///         Err(error) => Err(error.into()),
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputRequestError {
    /// The client has not declared the required capability, or its protocol version does not define
    /// the request.
    ///
    /// If a handler returns this error, a client of protocol version 2026-07-28 receives the error
    /// −32021. A client of an older version receives a result that reports the error.
    #[error("the client does not support the request `{key}`: {reason}")]
    Unsupported {
        /// The key of the request.
        key: String,
        /// The reason as a clause, such as "it does not declare `elicitation`".
        reason: Cow<'static, str>,
        /// The capabilities that the request requires.
        required: Box<ClientCapabilities>,
    },
    /// The user rejected the sampling request (code −1).
    #[error("the sampling request `{0}` was rejected")]
    Rejected(String),
    /// The client responded with an error.
    #[error("the client failed to answer `{key}`: {error}")]
    ErrorResponse {
        /// The key of the request.
        key: String,
        /// The error in the response.
        error: ErrorObject,
    },
    /// The response does not match the request.
    #[error("the answer to `{key}` does not fit: {problem}")]
    Malformed {
        /// The key of the request.
        key: String,
        /// The part of the response that does not match the request.
        problem: String,
    },
    /// The client did not respond in time, and the request was cancelled.
    #[error("the client did not answer `{key}` within {timeout:?}")]
    TimedOut {
        /// The key of the request.
        key: String,
        /// The maximum time that the client may take to respond.
        timeout: Duration,
    },
    /// The client has disconnected, or its transport cannot carry requests.
    #[error("the client cannot be reached for the request `{0}`")]
    Disconnected(String),
    /// The same key was used for two different requests.
    #[error(
        "`{0}` was asked before with another text or form; a handler that runs again \
         must send the same requests, and each request needs its own key"
    )]
    Changed(String),
    /// The URL is not valid.
    #[error("the request `{key}` is invalid: `{url}` is not a URL of printable ASCII with `://`")]
    InvalidUrl {
        /// The key of the request.
        key: String,
        /// The invalid URL.
        url: String,
    },
    /// The type or the schema does not describe a form.
    #[error("the request `{key}` is invalid: {problem}")]
    InvalidForm {
        /// The key of the request.
        key: String,
        /// The part of the type or schema that a form cannot represent.
        problem: String,
    },
    /// A value of [`once`](crate::Context::once) cannot be stored or restored.
    #[error("the value `{key}` cannot be stored: {problem}")]
    InvalidValue {
        /// The key of the value.
        key: String,
        /// The error of the serialization or deserialization.
        problem: String,
    },
    /// The handler cannot send input requests.
    #[error(
        "the request `{0}` cannot be sent here: in 2026-07-28 only an `async` tool, prompt or \
         resource can send input requests, and only with the feature `input-requests`"
    )]
    Unavailable(String),
}
