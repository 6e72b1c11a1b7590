//! Elicitation: requests that the user fill in a form or open a URL.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use super::client_request::{ClientRequest, RequiredCapability};
use super::{Context, Elicited, InputRequestError};
use crate::codec;
use crate::protocol::{ElicitAction, ElicitResult, JsonObject};
use crate::schema::{self, Elicitable};

/// The future of an elicitation request.
///
/// See [`Context::elicit`] for an example.
///
/// The future is boxed because the future of an `async fn` repeats the bounds of `T`. With such a
/// future, a type that cannot be a form would cause three compile errors instead of one.
pub type ElicitFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<Elicited<T>, InputRequestError>> + Send + 'a>>;

impl Context {
    /// Requests that the user fill in a form with the fields of `T` (elicitation).
    ///
    /// `T` is a `#[json]` struct. Its fields are strings, numbers, booleans, enums (the user makes
    /// one choice) or lists of enums (the user makes several choices). A field can be optional or
    /// have a `#[serde(default)]`. The doc comment of an enum variant is the title of the choice.
    /// The compiler rejects other field types. The server checks the remaining rules, which
    /// [`Elicitable`] lists, when it starts.
    ///
    /// A form must not request secrets. Use [`elicit_url`](Self::elicit_url) to request a secret.
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
    /// Returns an error if the request cannot be sent or has no valid response; see
    /// [`InputRequestError`].
    pub fn elicit<'a, T: Elicitable>(
        &'a self,
        key: &'a str,
        message: impl Into<String>,
    ) -> ElicitFuture<'a, T> {
        let message = message.into();
        Box::pin(async move {
            let form = schema::elicitation_form::<T>().map_err(|problem| {
                InputRequestError::InvalidForm {
                    key: key.to_owned(),
                    problem,
                }
            })?;
            let read = |content: JsonObject| form.parse(content);
            self.request_form(key, message, form.requested_schema(), read)
                .await
        })
    }

    /// Requests that the user fill in a form that your own JSON Schema describes. Returns the
    /// fields as JSON. In contrast, [`elicit`](Self::elicit) derives the schema from a type.
    ///
    /// The schema must describe an object of strings, numbers, booleans and choices, as required by
    /// the specification. The content of the response is validated against the schema.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    /// use serde_json::json;
    ///
    /// /// Orders some items from the stock.
    /// #[tool]
    /// async fn order(ctx: &Context, stock: u32) -> Result<String, ToolError> {
    ///     let form = json!({
    ///         "type": "object",
    ///         "properties": { "count": { "type": "integer", "minimum": 1, "maximum": stock } },
    ///         "required": ["count"],
    ///     });
    ///     let answer = ctx.elicit_with_schema("count", "How many?", form).await?;
    ///     Ok(format!("{:?}", answer.accepted()))
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns [`InputRequestError::InvalidForm`] if the schema does not describe a form, or
    /// another [`InputRequestError`] if the request cannot be sent or has no valid response.
    pub async fn elicit_with_schema(
        &self,
        key: &str,
        message: impl Into<String>,
        requested_schema: Value,
    ) -> Result<Elicited<JsonObject>, InputRequestError> {
        if let Some(problem) = schema::form_schema_error(&requested_schema) {
            let key = key.to_owned();
            return Err(InputRequestError::InvalidForm { key, problem });
        }
        let read = |content: JsonObject| {
            let content = Value::Object(content);
            match (
                schema::form_content_error(&requested_schema, &content),
                content,
            ) {
                (None, Value::Object(content)) => Ok(content),
                (problem, _) => Err(problem.unwrap_or_default()),
            }
        };
        self.request_form(key, message.into(), &requested_schema, read)
            .await
    }

    /// Sends an elicitation request without validating the schema or the response. The caller must
    /// pass a valid schema.
    pub(crate) async fn elicit_unchecked(
        &self,
        key: &str,
        message: String,
        requested_schema: &Value,
    ) -> Result<Elicited<JsonObject>, InputRequestError> {
        self.request_form(key, message, requested_schema, Ok).await
    }

    async fn request_form<T>(
        &self,
        key: &str,
        message: String,
        requested_schema: &Value,
        read: impl Fn(JsonObject) -> Result<T, String>,
    ) -> Result<Elicited<T>, InputRequestError> {
        let params = codec::elicit_form_params(message, requested_schema, self.revision)
            .map_err(|reason| RequiredCapability::Form.unsupported(key, reason))?;
        let request = ClientRequest {
            method: "elicitation/create",
            params,
            capability: RequiredCapability::Form,
        };
        let read = |result: ElicitResult| match (result.action, result.content) {
            (ElicitAction::Accept, Some(content)) => read(content).map(Elicited::Accepted),
            (ElicitAction::Accept, None) => Err("an accepted form must have `content`".to_owned()),
            (ElicitAction::Decline, _) => Ok(Elicited::Declined),
            (ElicitAction::Cancel, _) => Ok(Elicited::Cancelled),
        };
        self.request_input(key, request, read).await
    }

    /// Requests that the user open a URL. Use it for data that must not pass through the client.
    ///
    /// `Accepted` means that the user agreed to open the URL. The server has to find out by itself
    /// whether the user completed the task there. Clients support URLs since protocol version
    /// 2025-11-25.
    ///
    /// The URL should use `https`. It must not contain credentials or personal data. A different
    /// person may open the URL, so the page must verify the user's identity.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Connects an account.
    /// #[tool]
    /// async fn connect(ctx: &Context) -> Result<String, ToolError> {
    ///     let url = "https://example.com/connect";
    ///     let answer = ctx.elicit_url("connect", "Please sign in.", url).await?;
    ///     Ok(format!("opened: {}", answer.accepted().is_some()))
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent or has no valid response; see
    /// [`InputRequestError`].
    pub async fn elicit_url(
        &self,
        key: &str,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Elicited<()>, InputRequestError> {
        let url = url.into();
        if !is_url(&url) {
            let key = key.to_owned();
            return Err(InputRequestError::InvalidUrl { key, url });
        }
        let request = ClientRequest {
            method: "elicitation/create",
            params: codec::elicit_url_params(message.into(), url, self.revision),
            capability: RequiredCapability::Url,
        };
        let read = |result: ElicitResult| {
            Ok(match result.action {
                ElicitAction::Accept => Elicited::Accepted(()),
                ElicitAction::Decline => Elicited::Declined,
                ElicitAction::Cancel => Elicited::Cancelled,
            })
        };
        self.request_input(key, request, read).await
    }
}

/// Whether the text consists of a scheme, `://` and printable ASCII characters.
fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let mut bytes = scheme.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && !rest.is_empty()
        && rest.bytes().all(|byte| byte.is_ascii_graphic())
}
