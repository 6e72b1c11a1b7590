use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;

use super::ClientError;
use crate::protocol::{Revision, Tool};

/// Resolves to `Ok` once a message has been delivered.
pub(super) type SendFuture = Pin<Box<dyn Future<Output = Result<(), ClientError>> + Send>>;

/// Sends the messages of a client to its server.
///
/// Messages of the server arrive through an [`Inbox`](super::inbox::Inbox).
pub(super) trait ClientTransport: fmt::Debug + Send + Sync {
    /// Queues a message; returns `false` once the server has disconnected.
    fn send(&self, message: &[u8]) -> bool;

    /// Sends a message and waits until it is delivered.
    ///
    /// Where each message is a request of its transport (HTTP), a request is
    /// delivered once its response has arrived.
    fn send_and_wait(&self, message: &[u8]) -> SendFuture {
        let sent = self.send(message);
        Box::pin(ready(sent.then_some(()).ok_or(ClientError::Disconnected)))
    }

    /// Sets the revision that was negotiated.
    fn set_revision(&self, _: Revision) {}

    /// Starts to listen for messages that the server initiates, after the handshake
    /// of a legacy session.
    fn listen(&self) {}

    /// Whether dropping a request cancels it at the server without a notification.
    fn cancels_on_drop(&self) -> bool {
        false
    }

    /// Remembers the listed tools, and removes those that this transport must not call.
    fn filter_tools(&self, _: &mut Vec<Tool>) {}

    /// Ends the connection.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(ready(()))
    }
}
