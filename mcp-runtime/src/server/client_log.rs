use super::Server;
use crate::client_log::ToldTargets;

impl Server {
    /// Tells clients what handlers log with `tracing` under these targets, and
    /// below them.
    ///
    /// An event becomes a log message of the client whose call it happens in, if
    /// that client wants its level, as with [`Context::log`](crate::Context::log).
    /// A target is the path of a module unless an event says otherwise.
    /// Fields with the names of secrets, and the values of `#[arg(secret)]`, are
    /// redacted; what this crate logs itself is never told.
    /// Clients may show messages to anybody, so name only what is written for them.
    ///
    /// [`main!`](crate::main!) installs the [`ClientLog`](crate::ClientLog) that
    /// this needs; a program with a subscriber of its own adds it.
    ///
    /// ```
    /// let server = mcp_runtime::server!().client_log([module_path!()]);
    /// ```
    #[must_use]
    pub fn client_log<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.client_log = Some(ToldTargets::new(targets.into_iter().map(Into::into)));
        self
    }

    #[cfg(feature = "cli")]
    pub(crate) fn told_to_clients(&self) -> Option<&ToldTargets> {
        self.client_log.as_ref()
    }
}
