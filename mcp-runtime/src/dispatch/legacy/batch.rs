use std::future::Future;
use std::pin::Pin;

use serde_json::value::RawValue;
use tokio::task::JoinSet;

use crate::dispatch::{Answer, Dispatched, Dispatcher, Peer, Pending, Status, refuse};
use crate::jsonrpc::{ErrorObject, Malformed, Message};
use crate::protocol::Revision;

/// How many messages an array may have: each may be answered with a whole list.
const MOST: usize = 100;

/// The replies to one array that are not all there yet.
pub(in crate::dispatch) struct Batch {
    replies: Vec<Vec<u8>>,
    pending: Vec<Pending>,
}

impl Dispatcher {
    /// Answers an array, which is legal only where 2025-03-26 was agreed
    /// (specification of 2025-03-26, *Base protocol*, *Batching*).
    pub(in crate::dispatch) fn batch(
        &self,
        elements: &[&RawValue],
        peer: &Peer,
        out: &mut Vec<u8>,
    ) -> Dispatched {
        let refused = if peer.revision() != Some(Revision::V2025_03_26) {
            Some("a batch is only allowed in revision 2025-03-26; send one message at a time")
        } else if elements.is_empty() {
            Some("a batch must not be empty")
        } else if elements.len() > MOST {
            Some("a batch has at most 100 messages; send the others in the next one")
        } else {
            None
        };
        if let Some(reason) = refused {
            return refuse(out, None, &ErrorObject::invalid_request(reason), false);
        }
        let mut batch = Batch {
            replies: Vec::new(),
            pending: Vec::new(),
        };
        for element in elements {
            let mut reply = Vec::new();
            let message = Message::parse(element.get()).and_then(without_initialize);
            match self.single(message, peer, &mut reply) {
                Dispatched::Silent => {}
                Dispatched::Replied(_) => batch.replies.push(reply),
                Dispatched::Pending(pending) => batch.pending.push(pending),
            }
        }
        if batch.pending.is_empty() {
            return batch.write(out);
        }
        Dispatched::Pending(Pending::batch(batch))
    }
}

/// The handshake must stand alone (specification of 2025-03-26, *Lifecycle*).
fn without_initialize(message: Message<'_>) -> Result<Message<'_>, Malformed> {
    match message {
        Message::Request(request) if request.method == "initialize" => Err(Malformed {
            id: Some(request.id),
            error: ErrorObject::invalid_request("`initialize` must not be part of a batch"),
        }),
        message => Ok(message),
    }
}

impl Batch {
    /// Boxed, since a pending batch holds pending calls.
    pub(in crate::dispatch) fn run(self) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>> {
        Box::pin(self.join())
    }

    /// All at once: each has begun, and may hold what another waits for. To what bounds
    /// the calls that run at once, a batch is one.
    async fn join(mut self) -> Option<Answer> {
        let mut running: JoinSet<_> = self.pending.drain(..).map(Pending::run).collect();
        while let Some(reply) = running.join_next().await {
            self.replies.extend(reply.ok().flatten());
        }
        Answer::written(|out| self.write(out))
    }

    fn write(&self, out: &mut Vec<u8>) -> Dispatched {
        if self.replies.is_empty() {
            return Dispatched::Silent;
        }
        out.push(b'[');
        out.extend_from_slice(&self.replies.join(&b','));
        out.push(b']');
        Dispatched::Replied(Status {
            error: None,
            modern: false,
        })
    }
}
