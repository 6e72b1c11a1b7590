use std::error::Error as StdError;

use super::ToolError;

/// Words for the caller in place of somebody else's error.
///
/// The error itself and its causes go to the log. Works on a `Result` of any
/// error that can be boxed, and on an `Option`.
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
    /// Tells the caller `message`, even where errors are masked.
    ///
    /// # Errors
    /// A [`ToolError::public`] if there is no value.
    fn context_public(self, message: impl Into<String>) -> Result<T, ToolError>;

    /// As [`context_public`](Self::context_public), with a text that is made only if needed.
    ///
    /// # Errors
    /// A [`ToolError::public`] if there is no value.
    fn with_context_public<M: Into<String>>(
        self,
        message: impl FnOnce() -> M,
    ) -> Result<T, ToolError>;

    /// Tells the caller nothing but that the tool failed.
    ///
    /// # Errors
    /// A [`ToolError::internal`] if there is no value.
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
        self.map_err(|error| ToolError::caused(message().into(), error.into().as_ref()))
    }

    fn internal(self) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::hidden(error.into().as_ref()))
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
