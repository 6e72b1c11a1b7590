use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;

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
    way: Way,
}

/// The way back to the client, whose handlers may do anything with the server.
///
/// The server sends what is no reply wherever it is just then, as with its news
/// locked or inside of a body, so a task of its own brings it. Replies leave when
/// nothing is locked, and go straight on unless something is to come before them.
#[derive(Clone, Debug)]
struct Way(Arc<Queue>);

#[derive(Debug)]
struct Queue {
    client: Arc<dyn Outgoing>,
    runtime: Handle,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    messages: VecDeque<Vec<u8>>,
    /// Whether a task is bringing messages.
    brings: bool,
    gone: bool,
}

impl Memory {
    /// Must be called inside a tokio runtime.
    pub(crate) fn new(
        dispatcher: Dispatcher,
        channel: Channel,
        principal: Option<Arc<Principal>>,
        client: Arc<dyn Outgoing>,
    ) -> Self {
        let way = Way(Arc::new(Queue {
            client,
            runtime: Handle::current(),
            state: Mutex::default(),
        }));
        let peer = Peer::through(channel, Arc::new(way.clone()));
        Self {
            dispatcher,
            peer: peer.spoken_by(principal.as_ref()),
            way,
        }
    }

    /// Takes one frame; a call that is not done at once goes on in a task.
    ///
    /// Must be called inside a tokio runtime.
    pub(crate) fn deliver(&self, frame: &[u8]) {
        let mut reply = Vec::new();
        match self.dispatcher.dispatch(frame, &self.peer, &mut reply) {
            Dispatched::Silent => {}
            Dispatched::Replied(_) => self.way.reply(reply),
            Dispatched::Pending(pending) => {
                let way = self.way.clone();
                tokio::spawn(async move {
                    if let Some(reply) = pending.run().await {
                        way.reply(reply);
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

impl Way {
    fn reply(&self, reply: Vec<u8>) {
        let mut state = self.0.state();
        state.messages.push_back(reply);
        if !std::mem::replace(&mut state.brings, true) {
            drop(state);
            Bringing::of(&self.0).all();
        }
    }
}

impl Outgoing for Way {
    fn send(&self, message: &[u8]) -> bool {
        let mut state = self.0.state();
        if state.gone {
            return false;
        }
        state.messages.push_back(message.to_vec());
        if !std::mem::replace(&mut state.brings, true) {
            drop(state);
            self.0.begin();
        }
        true
    }
}

impl Queue {
    /// Where it is spoken, or where it was made, should that be nowhere.
    fn begin(self: &Arc<Self>) {
        let runtime = Handle::try_current();
        let runtime = runtime.as_ref().unwrap_or(&self.runtime);
        runtime.spawn(Bringing::of(self).go_on());
    }

    fn bring(&self, message: &[u8]) {
        if !self.client.send(message) {
            self.state().gone = true;
        }
    }

    /// The next message; with none left, whoever brings them is done.
    fn next(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        let next = state.messages.pop_front();
        state.brings = next.is_some();
        next
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No foreign code runs under the lock, so the state is always whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whoever brings messages just now.
struct Bringing {
    queue: Arc<Queue>,
    over: bool,
}

impl Bringing {
    fn of(queue: &Arc<Queue>) -> Self {
        Self {
            queue: Arc::clone(queue),
            over: false,
        }
    }

    /// Here and now.
    fn all(mut self) {
        while let Some(message) = self.queue.next() {
            self.queue.bring(&message);
        }
        self.over = true;
    }

    async fn go_on(mut self) {
        while let Some(message) = self.queue.next() {
            self.queue.bring(&message);
            // A body that tells without an end holds up nobody else.
            tokio::task::yield_now().await;
        }
        self.over = true;
    }
}

/// Its runtime has ended, or a handler of the client has panicked: whoever speaks
/// next brings what is left.
impl Drop for Bringing {
    fn drop(&mut self) {
        if !self.over {
            self.queue.state().brings = false;
        }
    }
}
