use super::Server;
use crate::client_log::LogTargets;

impl Server {
    /// Sends the `tracing` events of handlers to clients as log messages, if `targets` includes the
    /// target of the event.
    ///
    /// The server sends an event to the client whose call emits it, if the log level of that client
    /// includes the event. [`Context::log`](crate::Context::log) follows the same rule. By default,
    /// the target of an event is its module path. A target in `targets` includes the modules below
    /// it.
    ///
    /// The server redacts fields with names such as `password`, and the values of `#[arg(secret)]`
    /// arguments. It never sends the events of this crate. A client may show log messages to any
    /// user, so list only targets that log nothing confidential.
    ///
    /// [`main!`](crate::main!) installs the required [`ClientLog`](crate::ClientLog) layer. Add the
    /// layer yourself in a program that installs its own subscriber.
    ///
    /// ```
    /// let server = mcp_runtime::server!().client_log([module_path!()]);
    /// ```
    #[must_use]
    pub fn client_log<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.client_log = Some(LogTargets::new(targets.into_iter().map(Into::into)));
        self
    }

    #[cfg(feature = "cli")]
    pub(crate) fn client_log_targets(&self) -> Option<&LogTargets> {
        self.client_log.as_ref()
    }
}
