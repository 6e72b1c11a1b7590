use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonObject;

/// The parameters of `elicitation/create`: a request to the user (since 2025-06-18).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ElicitRequestParams {
    /// URL mode: a page that the user opens (since 2025-11-25).
    Url(ElicitRequestUrlParams),
    /// Form mode: a form that the user fills in.
    Form(ElicitRequestFormParams),
}

/// The parameters of `elicitation/create` in form mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestFormParams {
    /// The message for the user.
    pub message: String,
    /// The JSON Schema of the form: a flat object of strings, numbers, booleans and enums.
    pub requested_schema: Value,
}

/// The parameters of `elicitation/create` in URL mode, for data that must not pass
/// through the client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestUrlParams {
    /// The mode, always `url`.
    pub mode: UrlMode,
    /// The message for the user.
    pub message: String,
    /// The URL of the page.
    pub url: String,
    /// The id of the interaction (2025-11-25 only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elicitation_id: Option<String>,
}

/// The `mode` of [`ElicitRequestUrlParams`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlMode {
    /// The only value, `url`.
    #[default]
    Url,
}

/// The result of `elicitation/create`: the action of the user, and the content of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElicitResult {
    /// What the user did.
    pub action: ElicitAction,
    /// The content of an accepted form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<JsonObject>,
}

/// What the user did with an elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// The user accepted.
    Accept,
    /// The user declined.
    Decline,
    /// The user dismissed the request without a choice.
    Cancel,
}

impl ElicitRequestParams {
    /// The message for the user.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Form(form) => &form.message,
            Self::Url(page) => &page.message,
        }
    }
}

impl ElicitResult {
    /// Creates an accepted result with the content of a form.
    ///
    /// ```
    /// use mcp_runtime::protocol::ElicitResult;
    ///
    /// let result = ElicitResult::accept([("name", "Alice")]);
    /// assert_eq!(result.content.unwrap()["name"], "Alice");
    /// ```
    pub fn accept<K: Into<String>, V: Into<Value>>(
        content: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let members = content.into_iter();
        let members = members.map(|(name, value)| (name.into(), value.into()));
        Self {
            action: ElicitAction::Accept,
            content: Some(members.collect()),
        }
    }

    /// Creates a declined result.
    #[must_use]
    pub const fn decline() -> Self {
        Self {
            action: ElicitAction::Decline,
            content: None,
        }
    }

    /// Creates a cancelled result.
    #[must_use]
    pub const fn cancel() -> Self {
        Self {
            action: ElicitAction::Cancel,
            content: None,
        }
    }
}
