use std::fmt;
use std::time::Duration;

/// Sends notifications and requests to one client.
///
/// A transport implements this trait, and passes the sink of a stream to the dispatcher together
/// with each request. A message is one JSON object without line breaks.
pub trait ClientSink: fmt::Debug + Send + Sync {
    /// Queues a message. Returns `false` if the client has disconnected.
    ///
    /// The caller holds locks that keep the messages in order. Therefore this method must not call
    /// the dispatcher or its handle, directly or indirectly.
    fn send(&self, message: &[u8]) -> bool;

    /// Whether the transport can deliver messages. If it cannot, the server declares no support for
    /// notifications.
    fn delivers(&self) -> bool {
        true
    }

    /// Closes the stream and requests that the client reconnect after `retry`. Returns `false` if
    /// the stream cannot be closed.
    fn close_stream(&self, retry: Duration) -> bool {
        let _ = retry;
        false
    }
}

/// A sink that discards all messages, for a transport that only carries replies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NullSink;

impl ClientSink for NullSink {
    fn send(&self, _: &[u8]) -> bool {
        false
    }
    fn delivers(&self) -> bool {
        false
    }
}
