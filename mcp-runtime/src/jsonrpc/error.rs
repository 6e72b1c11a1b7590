use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON-RPC error code.
///
/// The constants are the standard ones, those that MCP allocates, and three of
/// our own, outside of what JSON-RPC reserves. Any other number is legal in a
/// user's own method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(pub i32);

impl ErrorCode {
    /// The message is not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The message is JSON but no request, notification or response.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// The method does not exist, or its capability was not advertised.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit the method; an unknown tool too.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The server failed; the cause is in its log.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// Too many requests; over HTTP the status is 429.
    pub const RATE_LIMITED: Self = Self(-31429);
    /// The caller is not authenticated; over HTTP the status is 401.
    pub const UNAUTHENTICATED: Self = Self(-31401);
    /// A person did not let the model answer; told by clients only.
    pub const REJECTED: Self = Self(-1);
    /// A resource does not exist (revisions up to 2025-11-25).
    pub const RESOURCE_NOT_FOUND: Self = Self(-32002);
    /// The caller may not do this; over HTTP the status is 403.
    pub const FORBIDDEN: Self = Self(-31403);
    /// An HTTP header and the body disagree (2026-07-28).
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The client lacks a capability that the request needs (2026-07-28).
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: Self = Self(-32021);
    /// The protocol version of a request is not served (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(-32022);
}

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({})", code.0)]
pub struct ErrorObject {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// One sentence for whoever reads the client's log.
    pub message: Cow<'static, str>,
    /// What a program may want to know besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// An error without `data`.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The same error with `data`.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(
            ErrorCode::METHOD_NOT_FOUND,
            format!("method not found: {}", crate::text::truncate(method, 80)),
        )
    }

    pub(crate) fn internal() -> Self {
        Self::new(ErrorCode::INTERNAL_ERROR, "internal error")
    }
}
