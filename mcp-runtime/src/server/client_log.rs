use super::Server;
use crate::client_log::LogTargets;

impl Server {
    /// Sends the `tracing` events of handlers under these targets to clients, as log messages.
    ///
    /// An event is sent to the client whose call it occurs in, if that client's log
    /// level includes it, as with [`Context::log`](crate::Context::log).
    /// By default, the target of an event is its module path; a target includes the
    /// modules below it.
    ///
    /// Fields with names of secrets, and values of `#[arg(secret)]`, are redacted. Events
    /// of this crate are never sent. A client may show log messages to any user, so list
    /// only targets that log nothing confidential.
    ///
    /// [`main!`](crate::main!) installs the required [`ClientLog`](crate::ClientLog)
    /// layer. Add it yourself in a program with its own subscriber.
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
