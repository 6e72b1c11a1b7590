use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Annotations, Icon, JsonObject, ResourceContents};

/// A resource as `resources/list` shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// What requests name.
    pub uri: String,
    /// For programs.
    pub name: String,
    /// For people (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For example `text/plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// In bytes, before any encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// For whom, how important.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Pictures that stand for it (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// For programs (since 2025-06-18).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// A family of resources as `resources/templates/list` shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The URIs of the family (RFC 6570).
    pub uri_template: String,
    /// For programs.
    pub name: String,
    /// For people (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is in each of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The one type that all of them have, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// For whom, how important.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Pictures that stand for it (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// For programs (since 2025-06-18).
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The result of `resources/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResourcesResult {
    /// Sorted by URI.
    pub resources: Vec<Resource>,
    /// Where the next page begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The result of `resources/templates/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResourceTemplatesResult {
    /// Sorted by template.
    pub resource_templates: Vec<ResourceTemplate>,
    /// Where the next page begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of requests that name one resource: `resources/read`,
/// `resources/subscribe` and `resources/unsubscribe`.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadResourceRequestParams<'a> {
    /// Which resource.
    #[serde(borrow)]
    pub uri: Cow<'a, str>,
}

/// The result of `resources/read`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadResourceResult {
    /// One part, or several.
    pub contents: Vec<ResourceContents>,
    /// For programs.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// How long a client may keep a result, and for whom (2026-07-28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheHints {
    /// In milliseconds; 0 asks to revalidate at each use.
    pub ttl_ms: u64,
    /// Who may be shown the kept result.
    pub scope: CacheScope,
}

/// Who may be shown a result that was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Everybody: it is the same for all.
    #[default]
    Public,
    /// Only who asked.
    Private,
}
