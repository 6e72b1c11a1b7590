use std::sync::Arc;

use crate::auth::Principal;
use crate::context::{Channel, Outgoing};
use crate::dispatch::{Dispatched, Dispatcher, Peer};

/// The server's end of a conversation inside this process.
///
/// Frames go straight to the dispatcher; all that it says comes back through
/// one [`Outgoing`], in the order in which it was said.
#[derive(Debug)]
pub(crate) struct Memory {
    dispatcher: Dispatcher,
    peer: Peer,
    outgoing: Arc<dyn Outgoing>,
}

impl Memory {
    pub(crate) fn new(
        dispatcher: Dispatcher,
        channel: Channel,
        principal: Option<Arc<Principal>>,
        outgoing: Arc<dyn Outgoing>,
    ) -> Self {
        let peer = Peer::through(channel, Arc::clone(&outgoing));
        Self {
            dispatcher,
            peer: peer.spoken_by(principal.as_ref()),
            outgoing,
        }
    }

    /// Takes one frame; a call that is not done at once goes on in a task.
    ///
    /// Must be called inside a tokio runtime.
    pub(crate) fn deliver(&self, frame: &[u8]) {
        let mut reply = Vec::new();
        match self.dispatcher.dispatch(frame, &self.peer, &mut reply) {
            Dispatched::Silent => {}
            Dispatched::Replied(_) => {
                self.outgoing.send(&reply);
            }
            Dispatched::Pending(pending) => {
                let outgoing = Arc::clone(&self.outgoing);
                tokio::spawn(async move {
                    if let Some(reply) = pending.run().await {
                        outgoing.send(&reply);
                    }
                });
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.peer.cancel_all();
    }
}
