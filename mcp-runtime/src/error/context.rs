use std::error::Error as StdError;

use super::ToolError;

/// Replaces an error by a message for the client.
///
/// The error itself and its causes go to the log. It is implemented for a `Result`
/// with any error that converts into `Box<dyn Error + Send + Sync>`, and for `Option`.
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
    /// Sends `message` to the client, even with
    /// [`Server::mask_errors`](crate::Server::mask_errors).
    ///
    /// # Errors
    /// Returns a [`ToolError::public`] for an `Err` or `None`.
    fn context_public(self, message: impl Into<String>) -> Result<T, ToolError>;

    /// Like [`context_public`](Self::context_public), but computes the message only on failure.
    ///
    /// # Errors
    /// Returns a [`ToolError::public`] for an `Err` or `None`.
    fn with_context_public<M: Into<String>>(
        self,
        message: impl FnOnce() -> M,
    ) -> Result<T, ToolError>;

    /// Sends only `internal error` to the client.
    ///
    /// # Errors
    /// Returns a [`ToolError::internal`] for an `Err` or `None`.
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
