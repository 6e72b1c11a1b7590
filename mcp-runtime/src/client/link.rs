use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;

use super::ClientError;
use crate::protocol::{Revision, Tool};

/// What becomes of a message on its way; `Ok` once the way is done.
pub(super) type Carried = Pin<Box<dyn Future<Output = Result<(), ClientError>> + Send>>;

/// How the messages of a client get to its server.
///
/// What the server says comes back through an [`Inbox`](super::inbox::Inbox).
pub(super) trait Link: fmt::Debug + Send + Sync {
    /// Sends one message; `false` once the server is gone.
    fn send(&self, message: &[u8]) -> bool;

    /// Sends one message and stays with it: until it is delivered, and a request
    /// until its answer is, where a message has a way of its own.
    fn carry(&self, message: &[u8]) -> Carried {
        let sent = self.send(message);
        Box::pin(ready(sent.then_some(()).ok_or(ClientError::Disconnected)))
    }

    /// What is spoken from now on.
    fn speak(&self, _: Revision) {}

    /// The handshake of a legacy session is over: the server may begin messages.
    fn listen(&self) {}

    /// Whether the server notices by itself that nobody waits for a request.
    fn tells_of_cancellation(&self) -> bool {
        false
    }

    /// Sees the tools that are listed, and takes out those that it may not call.
    fn learn(&self, _: &mut Vec<Tool>) {}

    /// Tells the server that the client goes.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(ready(()))
    }
}
