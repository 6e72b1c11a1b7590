use std::error::Error as StdError;
use std::fmt;

/// A tool's failure, told to the model as a result with `isError`.
///
/// The message is public. The detail and the chain of causes go to the log only.
/// Any [`std::error::Error`] becomes one through `?`, with its outermost
/// `Display` as the message.
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
    message: Message,
    detail: Option<String>,
}

enum Message {
    /// Written for the caller: shown even where errors are masked.
    Public(String),
    /// The `Display` of somebody's error: shown unless errors are masked.
    Plain(String),
    /// Nothing that the caller may see.
    Internal,
}

impl ToolError {
    /// An error whose text was written for the caller.
    pub fn public(message: impl Into<String>) -> Self {
        Self {
            message: Message::Public(message.into()),
            detail: None,
        }
    }

    /// An error whose text is for the log; the caller sees a generic message.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self {
            message: Message::Internal,
            detail: Some(format!("{cause:#}")),
        }
    }

    /// An error whose text was written for the caller, with its cause for the log.
    pub(crate) fn caused(message: String, cause: &dyn StdError) -> Self {
        let detail = Some(format!("{message}: {}", chain(cause)));
        Self {
            message: Message::Public(message),
            detail,
        }
    }

    /// An error whose text and causes are for the log.
    pub(crate) fn hidden(cause: &dyn StdError) -> Self {
        Self::internal(chain(cause))
    }

    /// Any printable error: its `Display` for the caller, its alternate form for the log.
    pub(crate) fn displayed(error: &dyn fmt::Display) -> Self {
        Self {
            message: Message::Plain(error.to_string()),
            detail: Some(format!("{error:#}")),
        }
    }

    /// What the caller is told; `None` stands for the generic message.
    pub(crate) fn shown(&self, masked: bool) -> Option<&str> {
        match &self.message {
            Message::Public(message) => Some(message),
            Message::Plain(message) if !masked => Some(message),
            Message::Plain(_) | Message::Internal => None,
        }
    }

    /// What the operator is told.
    pub(crate) fn detail(&self) -> &str {
        match (&self.detail, &self.message) {
            (Some(detail), _) => detail,
            (None, Message::Public(message) | Message::Plain(message)) => message,
            (None, Message::Internal) => "",
        }
    }
}

impl<E: StdError> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self {
            message: Message::Plain(error.to_string()),
            detail: Some(chain(&error)),
        }
    }
}

/// An error and its causes, outermost first.
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
        formatter.write_str(self.shown(false).unwrap_or("internal error"))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolError")
            .field("message", &self.shown(false))
            .field("detail", &self.detail())
            .finish()
    }
}
