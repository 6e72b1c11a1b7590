use std::error::Error as StdError;

use super::ToolError;

/// An extension of `Result` and `Option` that replaces an error by a message for the client.
///
/// The server logs the original error and its causes. The trait is implemented for `Option`, and
/// for a `Result` whose error converts into `Box<dyn Error + Send + Sync>`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Reads the settings.
/// #[tool(read_only)]
/// fn settings() -> Result<String, ToolError> {
///     std::fs::read_to_string("/no/such/file").context_public("there are no settings yet")
/// }
/// assert_eq!(settings().unwrap_err().to_string(), "there are no settings yet");
///
/// let hidden = "x".parse::<u8>().internal().unwrap_err();
/// assert_eq!(hidden.to_string(), "internal error");
/// ```
pub trait ErrorContext<T> {
    /// Replaces the error by `message`, which the client receives even if
    /// [`Server::mask_errors`](crate::Server::mask_errors) is set.
    ///
    /// # Errors
    /// Returns a [`ToolError::public`] if `self` is `Err` or `None`.
    fn context_public(self, message: impl Into<String>) -> Result<T, ToolError>;

    /// Does the same as [`context_public`](Self::context_public), but computes the message only if
    /// `self` is `Err` or `None`.
    ///
    /// # Errors
    /// Returns a [`ToolError::public`] if `self` is `Err` or `None`.
    fn with_context_public<M: Into<String>>(
        self,
        message: impl FnOnce() -> M,
    ) -> Result<T, ToolError>;

    /// Replaces the error by the message `internal error` for the client.
    ///
    /// # Errors
    /// Returns a [`ToolError::internal`] if `self` is `Err` or `None`.
    fn internal(self) -> Result<T, ToolError>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> ErrorContext<T> for Result<T, E> {
    fn context_public(self, message: impl Into<String>) -> Result<T, ToolError> {
        self.with_context_public(|| message)
    }

    fn with_context_public<M: Into<String>>(
        self,
        message: impl FnOnce() -> M,
    ) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::public_with_cause(message().into(), error.into().as_ref()))
    }

    fn internal(self) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::internal_from(error.into().as_ref()))
    }
}

impl<T> ErrorContext<T> for Option<T> {
    fn context_public(self, message: impl Into<String>) -> Result<T, ToolError> {
        self.with_context_public(|| message)
    }

    fn with_context_public<M: Into<String>>(
        self,
        message: impl FnOnce() -> M,
    ) -> Result<T, ToolError> {
        self.ok_or_else(|| ToolError::public(message()))
    }

    fn internal(self) -> Result<T, ToolError> {
        self.ok_or_else(|| ToolError::internal("a value is missing"))
    }
}
