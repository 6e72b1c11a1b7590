use std::io;
use std::time::Duration;

use super::DuplexError;
use crate::jsonrpc::ErrorObject;
use crate::protocol::Revision;

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
    /// The server is gone, or the connection to it.
    #[error("the server is gone")]
    Disconnected,
    /// The server sent a message that is longer than this client reads (HTTP only).
    #[error("the server sent a message of more than {limit} bytes")]
    TooLong {
        /// How many bytes a message may have.
        limit: usize,
    },
    /// The server did not answer in time; it was told that nobody waits any longer.
    #[error("the server did not answer within {0:?}")]
    TimedOut(Duration),
    /// The tool's work was a task, and somebody called it off.
    #[error("the task was called off")]
    CalledOff,
    /// The parameters cannot be sent; nothing was.
    #[error("{0} must be a JSON object or null; nothing was sent")]
    NoObject(&'static str),
    /// The answer is not what was expected.
    #[error("the answer could not be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The result is of a type that this client does not know.
    #[error("the server answered with a result of the unknown type `{0}`")]
    ResultType(String),
    /// The server asked for input again and again.
    #[error("the server asked for input {0} times without a result")]
    TooManyRounds(u32),
    /// The server asked for input that nobody here gives.
    #[error("the question `{key}` of the server was not answered: {source}")]
    Unanswered {
        /// The key of the question.
        key: String,
        /// What the handler said.
        source: DuplexError,
    },
    /// The server speaks no revision that was asked for.
    #[error("the server speaks revision `{offered}`, not {asked}")]
    Revision {
        /// What was asked for.
        asked: Revision,
        /// What the server answered.
        offered: String,
    },
    /// The list of the server has more pages than a client reads.
    #[error("the list of `{method}` did not end after {pages} pages")]
    TooManyPages {
        /// The method that lists.
        method: String,
        /// How many were read.
        pages: u32,
    },
    /// The address of the server cannot be used.
    #[error("the address of the server cannot be used: {reason}")]
    Address {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No connection to the server could be opened.
    #[error("the server could not be reached: {0}")]
    Connect(#[source] io::Error),
    /// The server refused the HTTP request itself.
    #[error("the server answered with HTTP status {status}: {message}")]
    Http {
        /// The status, for example 401 where a token is missing or wrong.
        status: u16,
        /// What the server said about it, shortened.
        message: String,
    },
    /// The server has ended the session (HTTP status 404); another client must be connected.
    #[error("the session has ended; connect again")]
    SessionEnded,
    /// The server's process could not be started.
    #[error("the server could not be started: {0}")]
    Spawn(#[source] io::Error),
}
