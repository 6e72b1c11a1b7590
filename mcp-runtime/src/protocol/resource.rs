use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Annotations, Icon, JsonObject, ResourceContents};

/// The definition of a resource in the result of `resources/list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The URI of the resource in requests.
    pub uri: String,
    /// The name for programs. Clients show it to the user if there is no `title`.
    pub name: String,
    /// A name for display to the user (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type, for example `text/plain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The size of the resource in bytes, before base64 encoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Icons (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// Additional data for programs (since 2025-06-18). In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The definition of a resource template in the result of `resources/templates/list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The URI template (RFC 6570).
    pub uri_template: String,
    /// The name for programs. Clients show it to the user if there is no `title`.
    pub name: String,
    /// A name for display to the user (since 2025-06-18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type, if all resources that match the template have the same media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Hints about the audience, the priority and the time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Icons (since 2025-11-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// Additional data for programs (since 2025-06-18). In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// The result of `resources/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResourcesResult {
    /// One page of the resources. The list is sorted by URI.
    pub resources: Vec<Resource>,
    /// The cursor of the next page, or `None` on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The result of `resources/templates/list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResourceTemplatesResult {
    /// One page of the resource templates. The list is sorted by URI template.
    pub resource_templates: Vec<ResourceTemplate>,
    /// The cursor of the next page, or `None` on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// The parameters of `resources/read`, `resources/subscribe` and `resources/unsubscribe`.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadResourceRequestParams<'a> {
    /// The URI of the resource.
    #[serde(borrow)]
    pub uri: Cow<'a, str>,
}

/// The result of `resources/read`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadResourceResult {
    /// The contents of the resource, or of several resources that belong to its URI.
    pub contents: Vec<ResourceContents>,
    /// Additional data for programs. In JSON, this member is named `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<JsonObject>,
}

/// Hints about the caching of a result, which are the members of `CacheableResult` (2026-07-28,
/// *Caching*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheHints {
    /// The time in milliseconds for which a client may cache the result. With 0, a client must send
    /// a new request for each use.
    pub ttl_ms: u64,
    /// The users to whom a cache may return the result.
    pub scope: CacheScope,
}

/// The users to whom a cache may return a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// All users, because the result is the same for each user.
    #[default]
    Public,
    /// Only the user for whom the client sent the request.
    Private,
}
