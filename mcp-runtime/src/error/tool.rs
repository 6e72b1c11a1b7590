use std::error::Error as StdError;
use std::fmt;

/// The error of a tool, which the client receives as a result with `isError`.
///
/// The model reads the message. The server writes the cause of the error only to its log. The `?`
/// operator converts any [`std::error::Error`] and uses its `Display` text as the message.
///
/// ```
/// use mcp_runtime::ToolError;
///
/// fn parse(text: &str) -> Result<u16, ToolError> {
///     let port: u16 = text.parse()?;
///     if port < 1024 {
///         return Err(ToolError::public("ports below 1024 are reserved"));
///     }
///     Ok(port)
/// }
/// assert_eq!(parse("80").unwrap_err().to_string(), "ports below 1024 are reserved");
/// assert!(parse("http").is_err());
/// ```
pub struct ToolError {
    message: PublicMessage,
    detail: Option<String>,
}

enum PublicMessage {
    /// A text for the client, which the server sends even if errors are masked.
    Public(String),
    /// The `Display` text of a converted error, which the server replaces if errors are masked.
    Display(String),
    /// The generic text `internal error`.
    Internal,
}

impl ToolError {
    /// Creates an error whose message the client receives even if
    /// [`Server::mask_errors`](crate::Server::mask_errors) is set.
    pub fn public(message: impl Into<String>) -> Self {
        Self {
            message: PublicMessage::Public(message.into()),
            detail: None,
        }
    }

    /// Creates an error whose text the server logs. The client receives `internal error`.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self {
            message: PublicMessage::Internal,
            detail: Some(format!("{cause:#}")),
        }
    }

    /// Creates an error with a message for the client and a cause for the log.
    pub(crate) fn public_with_cause(message: String, cause: &dyn StdError) -> Self {
        let detail = Some(format!("{message}: {}", chain(cause)));
        Self {
            message: PublicMessage::Public(message),
            detail,
        }
    }

    /// Creates an error whose text and causes the server logs. The client receives `internal
    /// error`.
    pub(crate) fn internal_from(cause: &dyn StdError) -> Self {
        Self::internal(chain(cause))
    }

    /// Creates an error from any value with `Display`. The server logs the alternate form (`{:#}`)
    /// of the value.
    pub(crate) fn from_display(error: &dyn fmt::Display) -> Self {
        Self {
            message: PublicMessage::Display(error.to_string()),
            detail: Some(format!("{error:#}")),
        }
    }

    /// Returns the message for the client, or `None` for the generic message.
    pub(crate) fn client_message(&self, masked: bool) -> Option<&str> {
        match &self.message {
            PublicMessage::Public(message) => Some(message),
            PublicMessage::Display(message) if !masked => Some(message),
            PublicMessage::Display(_) | PublicMessage::Internal => None,
        }
    }

    /// Returns the text for the log.
    pub(crate) fn log_detail(&self) -> &str {
        match (&self.detail, &self.message) {
            (Some(detail), _) => detail,
            (None, PublicMessage::Public(message) | PublicMessage::Display(message)) => message,
            (None, PublicMessage::Internal) => "",
        }
    }
}

impl<E: StdError> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self {
            message: PublicMessage::Display(error.to_string()),
            detail: Some(chain(&error)),
        }
    }
}

/// Joins the texts of an error and its causes, outermost first.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text.push_str(": ");
        text.push_str(&source.to_string());
        cause = source.source();
    }
    text
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.client_message(false).unwrap_or("internal error"))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolError")
            .field("message", &self.client_message(false))
            .field("detail", &self.log_detail())
            .finish()
    }
}
