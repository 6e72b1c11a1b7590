use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::value::RawValue;
use tokio::task::JoinSet;

use crate::dispatch::connection::Connection;
use crate::dispatch::outcome::{DispatchReply, DispatchStatus};
use crate::dispatch::pending::{DispatchOutcome, PendingCall};
use crate::jsonrpc::{self, ErrorObject, InvalidMessage, Message, RequestId};
use crate::protocol::Revision;

/// The maximum number of messages in a batch. Each reply may contain a whole list.
const MAX_MESSAGES: usize = 100;

/// The maximum total length of the replies in bytes. A single reply may be longer.
const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;

/// The replies and pending calls of a batch.
#[derive(Default)]
struct Batch {
    replies: Vec<Vec<u8>>,
    pending: Vec<(Option<RequestId>, PendingCall)>,
    budget: Arc<ReplyBudget>,
}

/// The total length of the replies to a batch so far.
#[derive(Default)]
struct ReplyBudget(AtomicUsize);

impl ReplyBudget {
    fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= MAX_REPLY_BYTES
    }

    /// Returns the reply, or an error response if the reply exceeds the rest of the budget.
    fn admit(&self, id: Option<&RequestId>, reply: Vec<u8>) -> Vec<u8> {
        let length = reply.len();
        let before = self.0.fetch_add(length, Ordering::Relaxed);
        if before == 0 || before.saturating_add(length) <= MAX_REPLY_BYTES {
            return reply;
        }
        self.0.fetch_sub(length, Ordering::Relaxed);
        drop(reply);
        too_long(id)
    }
}

fn too_long(id: Option<&RequestId>) -> Vec<u8> {
    let mut reply = Vec::new();
    let message = "the replies to a batch are at most 8 MiB; send this request by itself";
    jsonrpc::write_error(&mut reply, id, &ErrorObject::invalid_request(message));
    reply
}

/// Dispatches each message of a batch with `dispatch`, and replies with one array.
///
/// Only protocol version 2025-03-26 allows batches (specification of 2025-03-26, *Base protocol*,
/// *Batching*).
pub(in crate::dispatch) fn dispatch_batch(
    elements: &[&RawValue],
    connection: &Connection,
    out: &mut Vec<u8>,
    dispatch: impl Fn(Result<Message<'_>, InvalidMessage>, &mut Vec<u8>) -> DispatchOutcome,
) -> DispatchOutcome {
    let problem = if connection.revision() != Some(Revision::V2025_03_26) {
        Some("a batch is only allowed in revision 2025-03-26; send one message at a time")
    } else if elements.is_empty() {
        Some("a batch must not be empty")
    } else if elements.len() > MAX_MESSAGES {
        Some("a batch has at most 100 messages; send the others in the next one")
    } else {
        None
    };
    if let Some(problem) = problem {
        let error = ErrorObject::invalid_request(problem);
        return DispatchOutcome::rejected(out, None, &error, false);
    }
    let mut batch = Batch::default();
    for element in elements {
        let mut reply = Vec::new();
        let message = Message::parse(element.get()).and_then(reject_initialize);
        let id = match &message {
            Ok(Message::Request(request)) => Some(request.id.clone()),
            Ok(_) => None,
            Err(invalid) => invalid.id.clone(),
        };
        if id.is_some() && batch.budget.is_spent() {
            batch.replies.push(too_long(id.as_ref()));
            continue;
        }
        match dispatch(message, &mut reply) {
            DispatchOutcome::Silent => {}
            DispatchOutcome::Replied(_) => {
                batch.replies.push(batch.budget.admit(id.as_ref(), reply));
            }
            DispatchOutcome::Pending(pending) => batch.pending.push((id, pending)),
        }
    }
    if batch.pending.is_empty() {
        return batch.write(out).into();
    }
    DispatchOutcome::Pending(PendingCall::batch(batch.join()))
}

/// Rejects `initialize`, which must not be part of a batch (specification of 2025-03-26,
/// *Lifecycle*).
fn reject_initialize(message: Message<'_>) -> Result<Message<'_>, InvalidMessage> {
    match message {
        Message::Request(request) if request.method == "initialize" => Err(InvalidMessage {
            id: Some(request.id),
            error: ErrorObject::invalid_request("`initialize` must not be part of a batch"),
        }),
        message => Ok(message),
    }
}

impl Batch {
    /// Runs all pending calls concurrently. Each call has already started, and another call may
    /// wait for it. Limits on concurrent calls count a batch as one call.
    async fn join(mut self) -> Option<DispatchReply> {
        let mut running = JoinSet::new();
        for (id, pending) in self.pending.drain(..) {
            let budget = Arc::clone(&self.budget);
            // Each task charges its own reply to the budget, so a reply that is too long is dropped
            // immediately.
            running.spawn(async move {
                let reply = pending.run().await?;
                Some(budget.admit(id.as_ref(), reply))
            });
        }
        while let Some(reply) = running.join_next().await {
            self.replies.extend(reply.ok().flatten());
        }
        DispatchReply::written(|out| self.write(out))
    }

    /// Appends the array of replies to `out`, unless all messages were notifications.
    fn write(self, out: &mut Vec<u8>) -> Option<DispatchStatus> {
        if self.replies.is_empty() {
            return None;
        }
        let mut separator = b'[';
        for reply in self.replies {
            out.push(separator);
            out.extend_from_slice(&reply);
            separator = b',';
        }
        out.push(b']');
        let (error, modern) = (None, false);
        Some(DispatchStatus { error, modern })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_beyond_the_budget_are_errors_with_their_id() {
        let budget = ReplyBudget::default();
        let id = RequestId::from(7);
        let long = vec![b'x'; MAX_REPLY_BYTES - 10];
        assert_eq!(budget.admit(Some(&id), long.clone()).len(), long.len());
        assert!(!budget.is_spent());
        let refused = budget.admit(Some(&id), vec![b'x'; 11]);
        let refused = String::from_utf8(refused).unwrap();
        assert!(
            refused.contains("\"id\":7") && refused.contains("8 MiB"),
            "{refused}"
        );
        // The budget still admits a reply that fits.
        assert_eq!(budget.admit(Some(&id), vec![b'x'; 10]).len(), 10);
        assert!(budget.is_spent());
    }

    #[test]
    fn one_reply_may_be_as_long_as_without_a_batch() {
        let budget = ReplyBudget::default();
        let long = vec![b'x'; 2 * MAX_REPLY_BYTES];
        assert_eq!(budget.admit(None, long).len(), 2 * MAX_REPLY_BYTES);
        assert!(budget.is_spent());
    }
}
