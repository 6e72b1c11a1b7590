use std::borrow::Cow;
use std::time::Duration;

use crate::jsonrpc::ErrorObject;
use crate::protocol::ClientCapabilities;

/// Why a question to the client has no answer.
///
/// A person who declines or cancels has answered: see [`Elicited`](super::Elicited).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The client has not declared that it can answer, or its revision has no such question.
    ///
    /// Returned by a handler, it becomes error −32021 in 2026-07-28 and a failed
    /// result in older revisions.
    #[error("the client cannot answer `{key}`: {lacks}")]
    Unsupported {
        /// The key of the question.
        key: String,
        /// What the client lacks, as a clause.
        lacks: Cow<'static, str>,
        /// What a client would have to declare.
        required: Box<ClientCapabilities>,
    },
    /// A person did not let the model answer (code −1).
    #[error("the question `{0}` to the model was rejected")]
    Rejected(String),
    /// The client answered with an error.
    #[error("the client failed to answer `{key}`: {error}")]
    Refused {
        /// The key of the question.
        key: String,
        /// What it answered.
        error: ErrorObject,
    },
    /// The answer does not fit the question.
    #[error("the answer to `{key}` does not fit: {problem}")]
    Malformed {
        /// The key of the question.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The client did not answer in time, and was told that nobody waits.
    #[error("the client did not answer `{key}` within {after:?}")]
    TimedOut {
        /// The key of the question.
        key: String,
        /// How long it had.
        after: Duration,
    },
    /// The client is gone, or cannot be reached by requests.
    #[error("the client cannot be reached to ask `{0}`")]
    Disconnected(String),
    /// The same key was used for two different questions.
    #[error(
        "`{0}` was asked before with another text or form; a handler that is run again \
         must ask the same, and each question needs a key of its own"
    )]
    Changed(String),
    /// What should be opened is no URL.
    #[error("`{key}` cannot be asked: `{url}` is no URL of printable ASCII with `://`")]
    Url {
        /// The key of the question.
        key: String,
        /// What was given.
        url: String,
    },
    /// The type or the schema cannot be asked for with a form.
    #[error("`{key}` cannot be asked: {problem}")]
    Form {
        /// The key of the question.
        key: String,
        /// What no form can hold.
        problem: String,
    },
    /// A value of [`once`](crate::Context::once) cannot be kept.
    #[error("the value `{key}` cannot be kept: {problem}")]
    Once {
        /// The key of the value.
        key: String,
        /// Why.
        problem: String,
    },
    /// The call is not one that may ask.
    #[error(
        "`{0}` cannot be asked here: in 2026-07-28 only an `async` tool, prompt or resource \
         asks, and only where the feature `asking` is on"
    )]
    Unavailable(String),
}
