use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonObject;

/// The parameters of `elicitation/create`, which requests input from the user (since 2025-06-18).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ElicitRequestParams {
    /// URL mode, in which the user opens a web page (since 2025-11-25).
    Url(ElicitRequestUrlParams),
    /// Form mode, in which the user fills in a form.
    Form(ElicitRequestFormParams),
}

/// The parameters of `elicitation/create` in form mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestFormParams {
    /// The message for the user.
    pub message: String,
    /// The JSON Schema of the form. It describes an object whose members are strings, numbers,
    /// booleans or enums.
    pub requested_schema: Value,
}

/// The parameters of `elicitation/create` in URL mode. Use this mode for sensitive data that the
/// client must not receive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestUrlParams {
    /// The mode, which is always `url`.
    pub mode: UrlMode,
    /// The message for the user.
    pub message: String,
    /// The URL of the page.
    pub url: String,
    /// The id of the elicitation (only in 2025-11-25).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elicitation_id: Option<String>,
}

/// The type of `mode` in [`ElicitRequestUrlParams`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlMode {
    /// The only value, `url`.
    #[default]
    Url,
}

/// The result of `elicitation/create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElicitResult {
    /// The action of the user.
    pub action: ElicitAction,
    /// The values of the form fields, if the user accepted a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<JsonObject>,
}

/// The action with which the user responded to an elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// The user submitted the form or agreed to open the URL.
    Accept,
    /// The user declined the request.
    Decline,
    /// The user dismissed the request without a decision.
    Cancel,
}

impl ElicitRequestParams {
    /// Returns the message for the user.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Form(form) => &form.message,
            Self::Url(page) => &page.message,
        }
    }
}

impl ElicitResult {
    /// Creates a result with the action `accept` and the values of the form fields.
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

    /// Creates a result with the action `decline`.
    #[must_use]
    pub const fn decline() -> Self {
        Self {
            action: ElicitAction::Decline,
            content: None,
        }
    }

    /// Creates a result with the action `cancel`.
    #[must_use]
    pub const fn cancel() -> Self {
        Self {
            action: ElicitAction::Cancel,
            content: None,
        }
    }
}
