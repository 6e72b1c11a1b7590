use std::error::Error as StdError;
use std::fmt;

/// The error of a tool, sent to the client as a result with `isError`.
///
/// The message is for the model. The detail and the chain of causes go to the log only.
/// The `?` operator converts any [`std::error::Error`], whose `Display` becomes the
/// message.
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
    message: ClientMessage,
    detail: Option<String>,
}

enum ClientMessage {
    /// A text written for the client: sent even where errors are masked.
    Public(String),
    /// The `Display` of a converted error: sent unless errors are masked.
    Display(String),
    /// A generic text.
    Internal,
}

impl ToolError {
    /// Creates an error whose message is sent to the client, even with
    /// [`Server::mask_errors`](crate::Server::mask_errors).
    pub fn public(message: impl Into<String>) -> Self {
        Self {
            message: ClientMessage::Public(message.into()),
            detail: None,
        }
    }

    /// Creates an error whose text goes to the log; the client receives `internal error`.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self {
            message: ClientMessage::Internal,
            detail: Some(format!("{cause:#}")),
        }
    }

    /// Creates an error with a message for the client and a cause for the log.
    pub(crate) fn public_with_cause(message: String, cause: &dyn StdError) -> Self {
        let detail = Some(format!("{message}: {}", chain(cause)));
        Self {
            message: ClientMessage::Public(message),
            detail,
        }
    }

    /// Creates an error whose text and causes go to the log.
    pub(crate) fn internal_from(cause: &dyn StdError) -> Self {
        Self::internal(chain(cause))
    }

    /// Creates an error from any value with `Display`; its alternate form (`{:#}`) goes
    /// to the log.
    pub(crate) fn from_display(error: &dyn fmt::Display) -> Self {
        Self {
            message: ClientMessage::Display(error.to_string()),
            detail: Some(format!("{error:#}")),
        }
    }

    /// The message for the client; `None` stands for the generic one.
    pub(crate) fn client_message(&self, masked: bool) -> Option<&str> {
        match &self.message {
            ClientMessage::Public(message) => Some(message),
            ClientMessage::Display(message) if !masked => Some(message),
            ClientMessage::Display(_) | ClientMessage::Internal => None,
        }
    }

    /// The text for the log.
    pub(crate) fn log_detail(&self) -> &str {
        match (&self.detail, &self.message) {
            (Some(detail), _) => detail,
            (None, ClientMessage::Public(message) | ClientMessage::Display(message)) => message,
            (None, ClientMessage::Internal) => "",
        }
    }
}

impl<E: StdError> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self {
            message: ClientMessage::Display(error.to_string()),
            detail: Some(chain(&error)),
        }
    }
}

/// Joins an error and its causes, outermost first.
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
