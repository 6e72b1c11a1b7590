use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What a listen stream is to carry (2026-07-28); what is false or absent it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// That the list of tools is another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tools_list_changed: bool,
    /// That the list of prompts is another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prompts_list_changed: bool,
    /// That the list of resources or of their templates is another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resources_list_changed: bool,
    /// That one of these resources has other contents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resource_subscriptions: Vec<String>,
    /// That one of these tasks is another one (extension `io.modelcontextprotocol/tasks`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub task_ids: Vec<String>,
}

/// The parameters of `subscriptions/listen` (2026-07-28).
#[derive(Clone, Debug, Deserialize)]
pub struct SubscriptionsListenRequestParams<'a> {
    /// What the stream is to carry: a [`SubscriptionFilter`], unread.
    #[serde(borrow)]
    pub notifications: &'a RawValue,
}
