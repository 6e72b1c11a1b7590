use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON-RPC error code.
///
/// The constants are the codes of JSON-RPC and MCP, and three codes that this crate defines outside
/// of the range that JSON-RPC reserves. A custom method may use any other number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(pub i32);

impl ErrorCode {
    /// The message is not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The message is valid JSON, but it is not a request, a notification or a response.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// The method does not exist, or the server did not declare the capability for it.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters are invalid, or the tool is unknown.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// An internal error of the server. The server logs the cause.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// The caller exceeded a rate or concurrency limit. The HTTP status is 429.
    pub const RATE_LIMITED: Self = Self(-31429);
    /// The caller is not authenticated. The HTTP status is 401.
    pub const UNAUTHENTICATED: Self = Self(-31401);
    /// The user rejected a sampling request. Only clients send this code.
    pub const REJECTED: Self = Self(-1);
    /// The resource does not exist (up to 2025-11-25).
    pub const RESOURCE_NOT_FOUND: Self = Self(-32002);
    /// The caller is not authorized. The HTTP status is 403.
    pub const FORBIDDEN: Self = Self(-31403);
    /// An HTTP header does not match the request body (2026-07-28).
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The client did not declare a capability that the request requires (2026-07-28).
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: Self = Self(-32021);
    /// The server does not support the protocol version of the request (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(-32022);
    /// [`RATE_LIMITED`](Self::RATE_LIMITED) for clients of revisions up to 2025-11-25.
    pub const LEGACY_RATE_LIMITED: Self = Self(-32000);
    /// [`UNAUTHENTICATED`](Self::UNAUTHENTICATED) for clients of revisions up to 2025-11-25.
    pub const LEGACY_UNAUTHENTICATED: Self = Self(-32001);
    /// [`FORBIDDEN`](Self::FORBIDDEN) for clients of revisions up to 2025-11-25.
    pub const LEGACY_FORBIDDEN: Self = Self(-32003);

    /// Returns the code for clients of revisions up to 2025-11-25, which allow application
    /// codes from -32000 to -32099. Clients of other servers expect these numbers, and
    /// 2026-07-28 reserves them.
    pub(crate) fn for_legacy(self) -> Self {
        match self {
            Self::RATE_LIMITED => Self::LEGACY_RATE_LIMITED,
            Self::UNAUTHENTICATED => Self::LEGACY_UNAUTHENTICATED,
            Self::FORBIDDEN => Self::LEGACY_FORBIDDEN,
            code => code,
        }
    }
}

/// The `error` member of a response. The specification names this type `Error`.
///
/// ```
/// use mcp_runtime::jsonrpc::{ErrorCode, ErrorObject};
///
/// let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, "unknown tool");
/// assert_eq!(error.to_string(), "unknown tool (-32602)");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({})", code.0)]
pub struct ErrorObject {
    /// The error code.
    pub code: ErrorCode,
    /// A short description of the error.
    pub message: Cow<'static, str>,
    /// Additional information about the error in JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// Creates an error without `data`.
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Sets `data`.
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
