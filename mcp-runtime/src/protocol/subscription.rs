use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Selects the notifications of a `subscriptions/listen` stream (2026-07-28, *Subscriptions*).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// Changes of the tool list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tools_list_changed: bool,
    /// Changes of the prompt list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompts_list_changed: bool,
    /// Changes of the lists of resources and resource templates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resources_list_changed: bool,
    /// Updates of the resources with these URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resource_subscriptions: Vec<String>,
    /// Changes of the tasks with these ids (extension `io.modelcontextprotocol/tasks`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_ids: Vec<String>,
}

/// The parameters of `subscriptions/listen` (2026-07-28).
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionsListenRequestParams<'a> {
    /// The [`SubscriptionFilter`] as JSON.
    #[serde(borrow)]
    pub notifications: &'a RawValue,
}
