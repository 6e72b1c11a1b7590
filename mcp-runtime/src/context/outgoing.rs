use std::fmt;
use std::time::Duration;

/// Where messages go that are not replies: a stream to one client.
///
/// A transport implements it, and gives it to the dispatcher with the request
/// that the stream belongs to. A message is one JSON object without a line end.
pub trait Outgoing: fmt::Debug + Send + Sync {
    /// Takes a message to be sent; `false` once the client is gone.
    ///
    /// It is called with locks held that keep the messages in their order, so it
    /// must neither come back to the dispatcher or its handle, nor run what does.
    fn send(&self, message: &[u8]) -> bool;

    /// Whether there is a stream at all; a server promises nothing where there is none.
    fn delivers(&self) -> bool {
        true
    }

    /// Lets the client go, to come back for the rest after `retry`; `false`
    /// where it could not.
    fn close_stream(&self, retry: Duration) -> bool {
        let _ = retry;
        false
    }
}

/// A stream to nobody, for a transport that only carries replies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nowhere;

impl Outgoing for Nowhere {
    fn send(&self, _: &[u8]) -> bool {
        false
    }
    fn delivers(&self) -> bool {
        false
    }
}
