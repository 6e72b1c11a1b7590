use std::time::Duration;

use crate::context::DEFAULT_INPUT_TIMEOUT;

/// The settings of the server that apply to all handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandlerSettings {
    /// The duration after which an inline handler causes a warning.
    pub(crate) inline: Duration,
    /// Whether error texts that are not marked as public are hidden from the client.
    pub(crate) mask_errors: bool,
    /// The maximum time that a client may take to respond to an input request.
    pub(crate) input_timeout: Duration,
}

impl Default for HandlerSettings {
    fn default() -> Self {
        Self {
            inline: Duration::from_millis(1),
            mask_errors: false,
            input_timeout: DEFAULT_INPUT_TIMEOUT,
        }
    }
}
