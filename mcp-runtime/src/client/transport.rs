use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;

use super::ClientError;
use crate::protocol::{Revision, Tool};

/// A future that resolves to `Ok` once the transport has delivered a message.
pub(super) type SendFuture = Pin<Box<dyn Future<Output = Result<(), ClientError>> + Send>>;

/// A transport that sends the messages of a client to its server.
///
/// The transport passes messages from the server to an [`Inbox`](super::inbox::Inbox).
pub(super) trait ClientTransport: fmt::Debug + Send + Sync {
    /// Queues a message. Returns `false` if the server has disconnected.
    fn send(&self, message: &[u8]) -> bool;

    /// Sends a message and waits until it is delivered.
    ///
    /// Over HTTP, a JSON-RPC request counts as delivered once its response has arrived.
    fn send_and_wait(&self, message: &[u8]) -> SendFuture {
        let sent = self.send(message);
        Box::pin(ready(sent.then_some(()).ok_or(ClientError::Disconnected)))
    }

    /// Sets the negotiated revision.
    fn set_revision(&self, _: Revision) {}

    /// Starts to listen for messages that the server initiates. The client calls it after the
    /// handshake of a legacy session.
    fn listen(&self) {}

    /// Whether the server notices a dropped request without a cancellation notification.
    fn cancels_on_drop(&self) -> bool {
        false
    }

    /// Stores the listed tools, and removes tools that this transport must not call.
    fn filter_tools(&self, _: &mut Vec<Tool>) {}

    /// Ends the connection.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(ready(()))
    }
}
