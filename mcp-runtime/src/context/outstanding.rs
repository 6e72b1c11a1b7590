use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::jsonrpc::{ErrorObject, RequestId, Response};

/// What the other side said to a request of ours.
pub(crate) type Answer = Result<Box<RawValue>, ErrorObject>;

/// Our own requests that the other side has not answered.
///
/// Nothing stays here: an entry goes with its answer, with the interest in it,
/// or with the other side.
#[derive(Debug, Default)]
pub(crate) struct Outstanding(Mutex<Requests>);

#[derive(Debug, Default)]
struct Requests {
    closed: bool,
    last_id: i64,
    waiting: HashMap<i64, oneshot::Sender<Answer>>,
}

/// One request of ours; dropped unanswered, it is abandoned.
pub(crate) struct Waiting {
    pub(crate) id: i64,
    table: Arc<Outstanding>,
    answer: oneshot::Receiver<Answer>,
    abandon: Box<dyn Fn(i64) + Send + Sync>,
}

impl Outstanding {
    /// Takes an id of our own; `None` once the other side is gone.
    ///
    /// `abandon` is told the id if nobody waits any longer for the answer.
    pub(crate) fn open(
        self: &Arc<Self>,
        abandon: impl Fn(i64) + Send + Sync + 'static,
    ) -> Option<Waiting> {
        let (sender, answer) = oneshot::channel();
        let mut requests = self.lock();
        if requests.closed {
            return None;
        }
        requests.last_id += 1;
        let id = requests.last_id;
        requests.waiting.insert(id, sender);
        Some(Waiting {
            id,
            table: Arc::clone(self),
            answer,
            abandon: Box::new(abandon),
        })
    }

    /// Brings an answer; a second one, or one to nothing, is nobody's concern.
    pub(crate) fn answer(&self, response: Response<'_>) {
        let Some(RequestId::Number(id)) = response.id else {
            tracing::debug!(id = ?response.id, "an answer to no request");
            return;
        };
        let sender = self.lock().waiting.remove(&id);
        let answer = response.outcome.map(ToOwned::to_owned);
        let delivered = sender.is_some_and(|sender| sender.send(answer).is_ok());
        tracing::trace!(id, delivered, "answer");
    }

    /// Nobody waits for an answer any longer, and nobody is to be told.
    pub(crate) fn forget(&self, id: i64) {
        self.lock().waiting.remove(&id);
    }

    /// The other side is gone: nothing is answered any more, and nothing asked.
    pub(crate) fn close(&self) {
        let mut requests = self.lock();
        requests.closed = true;
        let waiting = std::mem::take(&mut requests.waiting);
        drop(requests);
        drop(waiting);
    }

    /// No foreign code runs under the lock, so the table is always whole.
    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Waiting {
    /// Waits for the answer; `None` if the other side is gone.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let unanswered = self.table.lock().waiting.remove(&self.id).is_some();
        if unanswered {
            (self.abandon)(self.id);
        }
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Waiting({})", self.id)
    }
}
