//! Questions to a person: forms, and pages to open.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use super::question::{Need, Question};
use super::{AskError, Context, Elicited};
use crate::codec;
use crate::protocol::{ElicitAction, ElicitResult, JsonObject};
use crate::schema::{self, Elicitable};

/// A form that is with a person.
///
/// In a box, since the future of an `async fn` would repeat its bounds: a type that
/// is none of a form would be three errors.
pub type Eliciting<'a, T> =
    Pin<Box<dyn Future<Output = Result<Elicited<T>, AskError>> + Send + 'a>>;

impl Context {
    /// Asks a person to fill in a form, whose fields are those of `T`.
    ///
    /// `T` is a `#[json]` struct of strings, numbers, booleans, enums (one
    /// choice) and lists of enums (several choices), each optional or with a
    /// `#[serde(default)]`. The doc comments of an enum's variants are their titles.
    /// The compiler refuses anything else; what it cannot see ([`Elicitable`] says
    /// what that is) stops the server at its start.
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
    pub fn elicit<'a, T: Elicitable>(
        &'a self,
        key: &'a str,
        message: impl Into<String>,
    ) -> Eliciting<'a, T> {
        let message = message.into();
        Box::pin(async move {
            let form = schema::form::<T>().map_err(|problem| AskError::Form {
                key: key.to_owned(),
                problem,
            })?;
            let read = |content: JsonObject| form.read(content);
            self.fill_in(key, message, form.requested(), read).await
        })
    }

    /// As [`elicit`](Self::elicit), with a schema made by hand and the fields as JSON.
    ///
    /// The schema must be one of a form: an object of strings, numbers, booleans and
    /// choices, as the specification has it. What was filled in is held against it.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use serde_json::json;
    ///
    /// /// Orders some of what there is.
    /// #[tool]
    /// async fn order(ctx: &Context, most: u32) -> Result<String, ToolError> {
    ///     let form = json!({
    ///         "type": "object",
    ///         "properties": { "count": { "type": "integer", "minimum": 1, "maximum": most } },
    ///         "required": ["count"],
    ///     });
    ///     let answer = ctx.elicit_with_schema("count", "How many?", form).await?;
    ///     Ok(format!("{:?}", answer.accepted()))
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// As [`AskError`] says; [`AskError::Form`] for a schema that is none of a form.
    pub async fn elicit_with_schema(
        &self,
        key: &str,
        message: impl Into<String>,
        requested_schema: Value,
    ) -> Result<Elicited<JsonObject>, AskError> {
        if let Some(problem) = schema::misfit(&requested_schema) {
            let key = key.to_owned();
            return Err(AskError::Form { key, problem });
        }
        let read = |content: JsonObject| {
            let content = Value::Object(content);
            match (schema::answer_misfit(&requested_schema, &content), content) {
                (None, Value::Object(content)) => Ok(content),
                (problem, _) => Err(problem.unwrap_or_default()),
            }
        };
        self.fill_in(key, message.into(), &requested_schema, read)
            .await
    }

    /// A form of the crate's own, whose answer the caller looks at as it is.
    pub(crate) async fn elicit_unchecked(
        &self,
        key: &str,
        message: String,
        requested_schema: &Value,
    ) -> Result<Elicited<JsonObject>, AskError> {
        self.fill_in(key, message, requested_schema, Ok).await
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
    /// The URL should be `https`, and must hold neither credentials nor anything
    /// about the person. Whoever opens it may be another one: the page must make
    /// sure that it is who was asked.
    ///
    /// # Errors
    /// As [`AskError`] says.
    pub async fn elicit_url(
        &self,
        key: &str,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Elicited<()>, AskError> {
        let url = url.into();
        if !is_url(&url) {
            let key = key.to_owned();
            return Err(AskError::Url { key, url });
        }
        let question = Question {
            method: "elicitation/create",
            params: codec::page(message.into(), url, self.revision),
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
}

/// Whether it is a scheme, `://`, and something printable.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let mut letters = scheme.bytes();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
        && !rest.is_empty()
        && rest.bytes().all(|it| it.is_ascii_graphic())
}
