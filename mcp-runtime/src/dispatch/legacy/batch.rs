use serde_json::value::RawValue;
use tokio::task::JoinSet;

use crate::dispatch::connection::Connection;
use crate::dispatch::outcome::{DispatchReply, DispatchStatus};
use crate::dispatch::pending::{DispatchOutcome, PendingCall};
use crate::jsonrpc::{ErrorObject, InvalidMessage, Message};
use crate::protocol::Revision;

/// The maximum number of messages in a batch: the reply to each may be a whole list.
const MAX_MESSAGES: usize = 100;

/// The replies to a batch.
#[derive(Default)]
struct Batch {
    replies: Vec<Vec<u8>>,
    pending: Vec<PendingCall>,
}

/// Answers a batch with one array, dispatching each message with `dispatch`.
///
/// Batches are allowed in revision 2025-03-26 only (specification of 2025-03-26,
/// *Base protocol*, *Batching*).
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
        match dispatch(message, &mut reply) {
            DispatchOutcome::Silent => {}
            DispatchOutcome::Replied(_) => batch.replies.push(reply),
            DispatchOutcome::Pending(pending) => batch.pending.push(pending),
        }
    }
    if batch.pending.is_empty() {
        return batch.write(out).into();
    }
    DispatchOutcome::Pending(PendingCall::batch(batch.join()))
}

/// `initialize` must not be part of a batch (specification of 2025-03-26, *Lifecycle*).
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
    /// Runs all calls concurrently: each has started already, and may hold what another
    /// waits for. Limits on concurrent calls count a batch once.
    async fn join(mut self) -> Option<DispatchReply> {
        let mut running: JoinSet<_> = self.pending.drain(..).map(PendingCall::run).collect();
        while let Some(reply) = running.join_next().await {
            self.replies.extend(reply.ok().flatten());
        }
        DispatchReply::written(|out| self.write(out))
    }

    /// Appends the array of replies, unless all messages were notifications.
    fn write(&self, out: &mut Vec<u8>) -> Option<DispatchStatus> {
        if self.replies.is_empty() {
            return None;
        }
        out.push(b'[');
        out.extend_from_slice(&self.replies.join(&b','));
        out.push(b']');
        let (error, modern) = (None, false);
        Some(DispatchStatus { error, modern })
    }
}
