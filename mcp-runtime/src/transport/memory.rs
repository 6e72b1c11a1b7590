use crate::dispatch::{Dispatched, Dispatcher, Peer};

/// A conversation inside this process: frames go straight to the dispatcher.
#[derive(Debug)]
pub(crate) struct Memory {
    dispatcher: Dispatcher,
    peer: Peer,
}

impl Memory {
    pub(crate) fn new(dispatcher: Dispatcher, peer: Peer) -> Self {
        Self { dispatcher, peer }
    }

    /// Sends one frame; gives back the reply if there is one.
    pub(crate) async fn exchange(&self, frame: &[u8]) -> Option<Vec<u8>> {
        let mut reply = Vec::new();
        match self.dispatcher.dispatch(frame, &self.peer, &mut reply) {
            Dispatched::Silent => None,
            Dispatched::Replied(_) => Some(reply),
            Dispatched::Pending(pending) => pending.run().await,
        }
    }
}
