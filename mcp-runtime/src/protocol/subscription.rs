use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The notifications that a client selects for a `subscriptions/listen` stream (2026-07-28,
/// *Subscriptions*).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// Whether the client selects changes of the tool list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tools_list_changed: bool,
    /// Whether the client selects changes of the prompt list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompts_list_changed: bool,
    /// Whether the client selects changes of the resource list and the resource template list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resources_list_changed: bool,
    /// The URIs of the resources whose updates the client selects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resource_subscriptions: Vec<String>,
    /// The ids of the tasks whose changes the client selects (extension
    /// `io.modelcontextprotocol/tasks`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_ids: Vec<String>,
}

/// The parameters of `subscriptions/listen` (2026-07-28).
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionsListenRequestParams<'a> {
    /// The unparsed JSON of the [`SubscriptionFilter`].
    #[serde(borrow)]
    pub notifications: &'a RawValue,
}
