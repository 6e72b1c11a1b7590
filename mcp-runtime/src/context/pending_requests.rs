use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::jsonrpc::{ErrorObject, RequestId, Response};

/// The response to a request: the result as JSON, or the error.
pub(crate) type ResponseResult = Result<Box<RawValue>, ErrorObject>;

/// The requests of one connection that have been sent and await their responses.
///
/// An entry is removed when its response arrives, when its [`PendingRequest`] is dropped, or when
/// the connection closes.
#[derive(Debug, Default)]
pub(crate) struct PendingRequests(Mutex<RequestTable>);

#[derive(Debug, Default)]
struct RequestTable {
    closed: bool,
    last_id: i64,
    waiting: HashMap<i64, oneshot::Sender<ResponseResult>>,
}

/// A request that awaits its response. Dropping this value abandons the request.
pub(crate) struct PendingRequest {
    pub(crate) id: i64,
    table: Arc<PendingRequests>,
    response: oneshot::Receiver<ResponseResult>,
    abandon: Box<dyn Fn(i64) + Send + Sync>,
}

impl PendingRequests {
    /// Registers a request under a new id. Returns `None` if the connection is closed.
    ///
    /// `abandon` is called with the id if the request is dropped before its response.
    pub(crate) fn open(
        self: &Arc<Self>,
        abandon: impl Fn(i64) + Send + Sync + 'static,
    ) -> Option<PendingRequest> {
        let (sender, response) = oneshot::channel();
        let mut requests = self.lock();
        if requests.closed {
            return None;
        }
        requests.last_id += 1;
        let id = requests.last_id;
        requests.waiting.insert(id, sender);
        Some(PendingRequest {
            id,
            table: Arc::clone(self),
            response,
            abandon: Box::new(abandon),
        })
    }

    /// Delivers a response to its request. Ignores a response without a pending request.
    pub(crate) fn deliver(&self, response: Response<'_>) {
        let Some(RequestId::Number(id)) = response.id else {
            tracing::debug!(id = ?response.id, "a response has no matching request");
            return;
        };
        let sender = self.lock().waiting.remove(&id);
        let result = response.outcome.map(ToOwned::to_owned);
        let delivered = sender.is_some_and(|sender| sender.send(result).is_ok());
        tracing::trace!(id, delivered, "response");
    }

    /// Removes a request without calling its `abandon` function.
    pub(crate) fn forget(&self, id: i64) {
        self.lock().waiting.remove(&id);
    }

    /// Closes the connection. All pending requests fail, and new requests cannot be opened.
    pub(crate) fn close(&self) {
        let mut requests = self.lock();
        requests.closed = true;
        let waiting = std::mem::take(&mut requests.waiting);
        drop(requests);
        drop(waiting);
    }

    /// Locks the table. Poisoning is ignored, because no user code runs while the lock is held.
    fn lock(&self) -> MutexGuard<'_, RequestTable> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl PendingRequest {
    /// Waits for the response. Returns `None` if the connection closes.
    pub(crate) async fn response(&mut self) -> Option<ResponseResult> {
        (&mut self.response).await.ok()
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        let was_pending = self.table.lock().waiting.remove(&self.id).is_some();
        if was_pending {
            (self.abandon)(self.id);
        }
    }
}

impl fmt::Debug for PendingRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PendingRequest({})", self.id)
    }
}
