//! Questions to the client in the middle of a call, asked the same in every revision.
//!
//! A client with a session is sent a request, and the handler waits in place.
//! A stateless client gets the questions as the result of its call, and calls
//! again with the answers; the handler is then run again from its beginning, and
//! this time finds them.

mod asking;
mod checked;
mod desk;
mod error;
mod exchange;
mod once;
mod question;
mod together;

use serde_json::{Value, json};

pub(crate) use asking::{Asking, Escape, Memory};
pub use checked::{FormKind, NoFormKind};
pub(crate) use desk::Desk;
pub use error::AskError;
use question::{Need, Question};
pub use together::Together;

use super::Context;
use crate::codec;
use crate::protocol::{
    CreateMessageRequestParams, CreateMessageResult, ElicitAction, ElicitResult, JsonObject,
    ListRootsResult, Root,
};
use crate::schema::{self, Elicitable};

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
    /// Asks a person to fill in a form, whose fields are those of `T`.
    ///
    /// `T` is a `#[json]` struct of strings, numbers, booleans, enums (one
    /// choice) and lists of enums (several choices), each optional or with a
    /// `#[serde(default)]`. The doc comments of an enum's variants are their titles.
    /// Anything else stops the server at its start, where the body names the type as
    /// below, and is an error of the question where it does not.
    /// A form must not ask for secrets; [`elicit_url`](Self::elicit_url) can.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use mcp_runtime::Elicited;
    ///
    /// /// Where to put something.
    /// #[json]
    /// struct Folder {
    ///     /// The name of the folder.
    ///     name: String,
    /// }
    ///
    /// /// Files a note.
    /// #[tool]
    /// async fn file(ctx: &Context, note: String) -> Result<String, ToolError> {
    ///     match ctx.elicit::<Folder>("folder", "Which folder?").await? {
    ///         Elicited::Accepted(folder) => Ok(format!("{note} is in {}", folder.name)),
    ///         Elicited::Declined | Elicited::Cancelled => Ok("not filed".to_owned()),
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn elicit<T: Elicitable>(
        &self,
        key: &str,
        message: impl Into<String>,
    ) -> Result<Elicited<T>, AskError> {
        let form = schema::form::<T>().map_err(|problem| AskError::Form {
            key: key.to_owned(),
            problem,
        })?;
        let read = |content: JsonObject| form.read(content);
        self.fill_in(key, message.into(), form.requested(), read)
            .await
    }

    /// As [`elicit`](Self::elicit), with a schema made by hand and the fields as JSON.
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn elicit_with_schema(
        &self,
        key: &str,
        message: impl Into<String>,
        requested_schema: Value,
    ) -> Result<Elicited<JsonObject>, AskError> {
        self.fill_in(key, message.into(), &requested_schema, Ok)
            .await
    }

    async fn fill_in<T>(
        &self,
        key: &str,
        message: String,
        requested: &Value,
        read: impl Fn(JsonObject) -> Result<T, String>,
    ) -> Result<Elicited<T>, AskError> {
        let params = codec::form(message, requested, self.revision)
            .map_err(|missing| Need::Form.without(key, missing))?;
        let question = Question {
            method: "elicitation/create",
            params,
            needs: Need::Form,
        };
        let read = |answer: ElicitResult| match (answer.action, answer.content) {
            (ElicitAction::Accept, Some(content)) => read(content).map(Elicited::Accepted),
            (ElicitAction::Accept, None) => Err("an accepted form has `content`".to_owned()),
            (ElicitAction::Decline, _) => Ok(Elicited::Declined),
            (ElicitAction::Cancel, _) => Ok(Elicited::Cancelled),
        };
        self.ask(key, question, read).await
    }

    /// Asks a person to open a page, for what must not pass through the client.
    ///
    /// `Accepted` says that it will be opened, not that anything was done there:
    /// the server sees that for itself. Since 2025-11-25.
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn elicit_url(
        &self,
        key: &str,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Elicited<()>, AskError> {
        let question = Question {
            method: "elicitation/create",
            params: codec::page(message.into(), url.into(), self.revision),
            needs: Need::Page,
        };
        let read = |answer: ElicitResult| {
            Ok(match answer.action {
                ElicitAction::Accept => Elicited::Accepted(()),
                ElicitAction::Decline => Elicited::Declined,
                ElicitAction::Cancel => Elicited::Cancelled,
            })
        };
        self.ask(key, question, read).await
    }

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
        question: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, AskError> {
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
