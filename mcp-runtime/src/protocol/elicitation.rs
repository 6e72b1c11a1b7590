use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonObject;

/// A question to a person, the parameters of `elicitation/create` (since 2025-06-18).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ElicitRequestParams {
    /// To open a page (since 2025-11-25).
    Url(ElicitRequestUrlParams),
    /// To fill in a form.
    Form(ElicitRequestFormParams),
}

/// A form to fill in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestFormParams {
    /// What the person reads.
    pub message: String,
    /// A flat object of strings, numbers, booleans and choices.
    pub requested_schema: Value,
}

/// A page to open, where what must not pass through the client is entered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElicitRequestUrlParams {
    /// Always `url`.
    pub mode: UrlMode,
    /// What the person reads.
    pub message: String,
    /// Where to go.
    pub url: String,
    /// Names the interaction (2025-11-25 only).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elicitation_id: Option<String>,
}

/// The `mode` of a page to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlMode {
    /// The one value.
    #[default]
    Url,
}

/// What a person did about a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElicitResult {
    /// Accepted, declined or cancelled.
    pub action: ElicitAction,
    /// What was filled in, where a form was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<JsonObject>,
}

/// What a person did about a question, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElicitAction {
    /// Yes.
    Accept,
    /// No.
    Decline,
    /// Closed without a choice.
    Cancel,
}

impl ElicitRequestParams {
    /// What the person reads.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Form(form) => &form.message,
            Self::Url(page) => &page.message,
        }
    }
}

impl ElicitResult {
    /// Accepts, with the members of a form.
    ///
    /// ```
    /// use mcp_runtime::protocol::ElicitResult;
    ///
    /// let answer = ElicitResult::accept([("name", "Alice")]);
    /// assert_eq!(answer.content.unwrap()["name"], "Alice");
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

    /// Says no.
    #[must_use]
    pub const fn decline() -> Self {
        Self {
            action: ElicitAction::Decline,
            content: None,
        }
    }

    /// Closes the question without a choice.
    #[must_use]
    pub const fn cancel() -> Self {
        Self {
            action: ElicitAction::Cancel,
            content: None,
        }
    }
}
