use std::fmt;
use std::time::Duration;

/// Sends notifications and requests to one client.
///
/// A transport implements it and passes it to the dispatcher with the request that
/// the stream belongs to. A message is one JSON object without a line break.
pub trait ClientSink: fmt::Debug + Send + Sync {
    /// Queues a message; returns `false` once the client has disconnected.
    ///
    /// Locks that keep the messages in order are held during the call, so it must
    /// neither call the dispatcher or its handle, nor run code that does.
    fn send(&self, message: &[u8]) -> bool;

    /// Whether messages can be delivered; the server declares no notifications otherwise.
    fn delivers(&self) -> bool {
        true
    }

    /// Closes the stream so that the client reconnects after `retry`; returns
    /// `false` if that is not possible.
    fn close_stream(&self, retry: Duration) -> bool {
        let _ = retry;
        false
    }
}

/// Discards messages, for a transport that only carries replies.
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
