use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;

use crate::auth::Principal;
use crate::context::{ClientSink, TransportKind};
use crate::dispatch::{Connection, DispatchOutcome, Dispatcher};

/// The transport for a client in the same process.
///
/// The transport passes messages directly to the dispatcher. It delivers the server's replies,
/// requests and notifications to the client in the order in which the server sent them.
#[derive(Debug)]
pub(crate) struct MemoryTransport {
    dispatcher: Dispatcher,
    connection: Connection,
    sink: OrderedSink,
}

/// Sends messages to the client in order. The client's handlers may call the server again.
///
/// The server may send notifications and requests while it holds a lock or runs a handler, and
/// therefore a separate task delivers them. The server holds no lock when it sends a reply, and
/// therefore delivers the reply at once unless earlier messages wait.
#[derive(Clone, Debug)]
struct OrderedSink(Arc<DeliveryQueue>);

#[derive(Debug)]
struct DeliveryQueue {
    client: Arc<dyn ClientSink>,
    runtime: Handle,
    state: Mutex<QueueState>,
}

#[derive(Debug, Default)]
struct QueueState {
    messages: VecDeque<Vec<u8>>,
    /// Whether a [`Delivery`] is active.
    delivering: bool,
    closed: bool,
}

impl MemoryTransport {
    /// This function must be called inside a tokio runtime.
    pub(crate) fn new(
        dispatcher: Dispatcher,
        transport: TransportKind,
        principal: Option<Arc<Principal>>,
        client: Arc<dyn ClientSink>,
    ) -> Self {
        let sink = OrderedSink(Arc::new(DeliveryQueue {
            client,
            runtime: Handle::current(),
            state: Mutex::default(),
        }));
        let connection = Connection::with_sink(transport, Arc::new(sink.clone()));
        Self {
            dispatcher,
            connection: connection.with_optional_principal(principal.as_ref()),
            sink,
        }
    }

    /// Dispatches one message. A call that does not complete at once continues in a task.
    ///
    /// This function must be called inside a tokio runtime.
    pub(crate) fn dispatch(&self, frame: &[u8]) {
        let mut reply = Vec::new();
        match self
            .dispatcher
            .dispatch(frame, &self.connection, &mut reply)
        {
            DispatchOutcome::Silent => {}
            DispatchOutcome::Replied(_) => self.sink.reply(reply),
            DispatchOutcome::Pending(pending) => {
                let sink = self.sink.clone();
                tokio::spawn(async move {
                    if let Some(reply) = pending.run().await {
                        sink.reply(reply);
                    }
                });
            }
        }
    }
}

impl Drop for MemoryTransport {
    fn drop(&mut self) {
        self.connection.cancel_all();
    }
}

impl OrderedSink {
    fn reply(&self, reply: Vec<u8>) {
        let mut state = self.0.state();
        state.messages.push_back(reply);
        if !std::mem::replace(&mut state.delivering, true) {
            drop(state);
            Delivery::new(&self.0).run();
        }
    }
}

impl ClientSink for OrderedSink {
    fn send(&self, message: &[u8]) -> bool {
        let mut state = self.0.state();
        if state.closed {
            return false;
        }
        state.messages.push_back(message.to_vec());
        if !std::mem::replace(&mut state.delivering, true) {
            drop(state);
            self.0.spawn_delivery();
        }
        true
    }
}

impl DeliveryQueue {
    /// Starts a delivery task on the current runtime, or outside a runtime on the one that created
    /// the queue.
    fn spawn_delivery(self: &Arc<Self>) {
        let runtime = Handle::try_current();
        let runtime = runtime.as_ref().unwrap_or(&self.runtime);
        runtime.spawn(Delivery::new(self).run_yielding());
    }

    fn deliver(&self, message: &[u8]) {
        if !self.client.send(message) {
            self.state().closed = true;
        }
    }

    /// Takes the next message. Marks the delivery as finished if there is none.
    fn next(&self) -> Option<Vec<u8>> {
        let mut state = self.state();
        let next = state.messages.pop_front();
        state.delivering = next.is_some();
        next
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        // Poisoning is ignored, because no user code runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The active delivery of a queue. A queue has at most one active delivery.
struct Delivery {
    queue: Arc<DeliveryQueue>,
    finished: bool,
}

impl Delivery {
    fn new(queue: &Arc<DeliveryQueue>) -> Self {
        Self {
            queue: Arc::clone(queue),
            finished: false,
        }
    }

    /// Delivers all messages on this thread.
    fn run(mut self) {
        while let Some(message) = self.queue.next() {
            self.queue.deliver(&message);
        }
        self.finished = true;
    }

    /// Delivers all messages in a task.
    async fn run_yielding(mut self) {
        while let Some(message) = self.queue.next() {
            self.queue.deliver(&message);
            // Other tasks must be able to run even if a handler keeps sending messages.
            tokio::task::yield_now().await;
        }
        self.finished = true;
    }
}

/// Marks the delivery as finished after a panic in a client's handler or the end of the runtime,
/// and the next message then starts a new delivery.
impl Drop for Delivery {
    fn drop(&mut self) {
        if !self.finished {
            self.queue.state().delivering = false;
        }
    }
}
