use serde::Deserialize;
use serde_json::Value;

/// The progress of a request (`notifications/progress`). See
/// [`ClientBuilder::on_progress`](super::ClientBuilder::on_progress).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Progress {
    /// The progress token of the request. This client uses the id of the request.
    pub progress_token: Value,
    /// The progress so far, which increases with every notification.
    pub progress: f64,
    /// The final value of `progress`, if it is known.
    #[serde(default)]
    pub total: Option<f64>,
    /// A description of the current step.
    #[serde(default)]
    pub message: Option<String>,
}

/// A log message of the server (`notifications/message`). See
/// [`ClientBuilder::on_log_message`](super::ClientBuilder::on_log_message).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LogMessage {
    /// The severity, from `debug` to `emergency`.
    pub level: String,
    /// The name of the logger.
    #[serde(default)]
    pub logger: Option<String>,
    /// The message, as text or any other JSON value.
    #[serde(default)]
    pub data: Value,
}
