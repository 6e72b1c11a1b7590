use std::io;
use std::time::Duration;

use super::DuplexError;
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;

/// An error of a [`Client`](super::Client).
///
/// # Examples
/// ```
/// use mcp_runtime::ClientError;
///
/// # async fn example(client: mcp_runtime::Client) -> Result<(), ClientError> {
/// match client.call::<i64>("divide", [("a", 1), ("b", 0)]).await {
///     Ok(quotient) => println!("{quotient}"),
///     Err(ClientError::Tool(text)) => println!("the tool failed: {text}"),
///     Err(error) => return Err(error),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server responded with a protocol error.
    #[error("the server rejected the request: {0}")]
    Protocol(ErrorObject),
    /// The tool failed. The value is the text of its result.
    #[error("the tool failed: {0}")]
    Tool(String),
    /// The connection is closed, the server has exited, or the server does not read its messages.
    #[error("the server has disconnected")]
    Disconnected,
    /// The server sent a message that exceeds the limit of the client (64 MiB).
    #[error("the server sent a message of more than {limit} bytes")]
    MessageTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The server did not respond within the timeout, and the client cancelled the request.
    #[error("the server did not respond within {0:?}")]
    TimedOut(Duration),
    /// The task of the tool call was cancelled.
    #[error("the task was cancelled")]
    TaskCancelled,
    /// The parameters are not an object, so the client sent no message.
    #[error("{0} must be a JSON object or null; nothing was sent")]
    ParamsNotObject(&'static str),
    /// The result does not have the expected shape.
    #[error("the result could not be decoded: {0}")]
    Decode(#[from] serde_json::Error),
    /// The result has an unknown `resultType`.
    #[error("the server returned a result of the unknown type `{0}`")]
    UnknownResultType(String),
    /// The request still needed input after
    /// [`ClientBuilder::max_input_rounds`](super::ClientBuilder::max_input_rounds).
    #[error("the server asked for input {0} times without a result")]
    TooManyInputRounds(u32),
    /// The client could not provide the input that the server requested.
    #[error("the input request `{key}` of the server failed: {source}")]
    InputRequest {
        /// The key of the input request.
        key: String,
        /// The error of the handler.
        source: DuplexError,
    },
    /// The server does not support the requested protocol revision.
    #[error("the server speaks revision `{offered}`, not {requested}")]
    UnsupportedRevision {
        /// The revision that the client requested.
        requested: Revision,
        /// The revision that the server offered.
        offered: String,
    },
    /// A list of the server exceeds the maximum number of pages.
    #[error("the list of `{method}` did not end after {pages} pages")]
    TooManyPages {
        /// The method that returns the list.
        method: String,
        /// The number of pages that were read.
        pages: u32,
    },
    /// The pages of a list together exceed the maximum size.
    #[error("the list of `{method}` has more than {limit} bytes")]
    ListTooLong {
        /// The method that returns the list.
        method: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// The URL or a header of the HTTP client is invalid.
    #[error("the HTTP client cannot be configured: {reason}")]
    InvalidConfig {
        /// The reason why the URL or header is invalid.
        reason: &'static str,
    },
    /// The connection to the server could not be opened.
    #[error("could not connect to the server: {0}")]
    Connect(#[source] io::Error),
    /// The server rejected the HTTP request.
    #[error("the server responded with HTTP status {status}: {message}")]
    Http {
        /// The HTTP status, for example 401 if a token is missing or invalid.
        status: u16,
        /// The body of the response, truncated.
        message: String,
    },
    /// The server has ended the session (HTTP status 404), so you must connect a new client.
    #[error("the session has ended; connect again")]
    SessionEnded,
    /// The process of the server could not be started.
    #[error("could not start the server: {0}")]
    Spawn(#[source] io::Error),
}
