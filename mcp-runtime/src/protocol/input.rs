use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request to the client inside an [`InputRequiredResult`] (2026-07-28).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputRequest {
    /// The method, which is `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// The parameters of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
}

/// A result that requests input from the client. The client sends the original request again with
/// its responses (2026-07-28, *Multi Round-Trip Requests*).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InputRequiredResult {
    /// The requests to the client. The keys identify the responses.
    #[serde(default)]
    pub input_requests: BTreeMap<String, InputRequest>,
    /// Opaque state of the server. The client returns it unchanged with the responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
}
