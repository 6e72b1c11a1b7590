use crate::jsonrpc::ErrorObject;

/// Why a client did not get what it asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server answered with a protocol error.
    #[error("the server refused the request: {0}")]
    Protocol(ErrorObject),
    /// The tool failed; this is what it told the model.
    #[error("the tool failed: {0}")]
    Tool(String),
    /// The request was cancelled, so there is no answer.
    #[error("the server did not answer")]
    NoReply,
    /// The answer is not what was expected.
    #[error("the answer could not be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}
