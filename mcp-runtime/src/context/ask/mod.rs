//! Questions to the client in the middle of a call, asked the same in every revision.
//!
//! A client with a session is sent a request, and the handler waits in place.
//! A stateless client gets the questions as the result of its call, and calls
//! again with the answers; the handler is then run again from its beginning, and
//! this time finds them.

mod asking;
mod checked;
mod desk;
mod elicit;
mod error;
mod exchange;
mod once;
mod question;
mod together;

use serde_json::json;

pub(crate) use asking::{Asking, Escape, Memory};
pub use checked::{FormKind, NoFormKind};
pub(crate) use desk::Desk;
pub use elicit::Eliciting;
pub use error::AskError;
use question::{Need, Question};
pub use together::Together;

use super::Context;
use crate::codec;
use crate::protocol::{CreateMessageRequestParams, CreateMessageResult, ListRootsResult, Root};

/// What a person did about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elicited<T> {
    /// Accepted, with this.
    Accepted(T),
    /// Said no.
    Declined,
    /// Closed the question without a choice.
    Cancelled,
}

impl<T> Elicited<T> {
    /// What was accepted, if it was.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

/// Questions to the client.
///
/// Each has a key, which tells it from the others of the same call.
/// In 2026-07-28 the handler is **run again from its beginning** after each round
/// of answers: whatever stands before a question happens again.
/// [`once`](Self::once) keeps a value over the runs, and a handler must ask the
/// same questions each time, which it does if it depends on nothing but its
/// arguments, the answers and such values.
///
/// A client has as long to answer as [`Server::patience`](crate::Server::patience) says.
impl Context {
    /// Asks the client's model, which may be given tools.
    ///
    /// Sampling is deprecated in 2026-07-28, and still answered.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::protocol::CreateMessageRequestParams;
    ///
    /// /// Shortens a text.
    /// #[tool]
    /// async fn shorten(ctx: &Context, text: String) -> Result<String, ToolError> {
    ///     let question = CreateMessageRequestParams::ask(format!("Shorten: {text}"), 200);
    ///     let answer = ctx.sample("shorter", question).await?;
    ///     Ok(answer.first_text().unwrap_or_default().to_owned())
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn sample(
        &self,
        key: &str,
        mut question: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, AskError> {
        // A hint, which only some clients may be given (specification, *Sampling*).
        if !Need::allows_context(&self.client.capabilities, self.revision) {
            question.include_context = None;
        }
        let with_tools = question.tools.is_some() || question.tool_choice.is_some();
        let needs = match with_tools {
            true => Need::SamplingTools,
            false => Need::Sampling,
        };
        let params = codec::sampling(question, self.revision)
            .map_err(|missing| needs.without(key, missing))?;
        let question = Question {
            method: "sampling/createMessage",
            params,
            needs,
        };
        self.ask(key, question, Ok).await
    }

    /// Asks for the folders that the client works with; the key is `roots`.
    ///
    /// They are hints, no access rights. Deprecated in 2026-07-28, and still answered.
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn roots(&self) -> Result<Vec<Root>, AskError> {
        self.roots_as("roots").await
    }

    /// As [`roots`](Self::roots), with a key of its own.
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn roots_as(&self, key: &str) -> Result<Vec<Root>, AskError> {
        let question = Question {
            method: "roots/list",
            params: json!({}),
            needs: Need::Roots,
        };
        let read = |answer: ListRootsResult| Ok(answer.roots);
        self.ask(key, question, read).await
    }

    /// Asks several questions in one round.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # #[json]
    /// # struct Name { name: String }
    /// /// Greets somebody who has a home.
    /// #[tool]
    /// async fn greet(ctx: &Context) -> Result<String, ToolError> {
    ///     let name = ctx.elicit::<Name>("name", "What is your name?");
    ///     let (name, roots) = ctx.together((name, ctx.roots())).await?;
    ///     Ok(format!("{:?} has {} roots", name.accepted().map(|it| it.name), roots.len()))
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// That of the first question that fails.
    pub async fn together<Q: Together>(&self, questions: Q) -> Result<Q::Answers, AskError> {
        questions.together().await
    }
}
