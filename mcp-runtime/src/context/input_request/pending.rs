use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::InputRequestError;
use super::client_request::ClientRequest;
use super::task_inbox::TaskInbox;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{ClientCapabilities, InputRequest, JsonObject};
use crate::seal::StateNonce;

/// The input requests of one call and their responses, from all runs of the handler.
#[derive(Debug, Default)]
pub(crate) struct PendingInputRequests(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Whether the call can end with input requests while its handler waits for the responses.
    is_suspendable: bool,
    /// The requests and responses of earlier runs of the handler.
    previous: CallMemo,
    /// The requests and responses of this run of the handler.
    current: CallMemo,
    /// The `inputResponses` in the parameters of the client's request, by key.
    input_responses: JsonObject,
    unanswered: BTreeMap<String, InputRequest>,
    invalid_response: Option<ErrorObject>,
    missing_capability: Option<MissingCapability>,
    /// The nonce of the `requestState` in the parameters of the client's request.
    nonce: Option<StateNonce>,
    /// The inbox that receives the input requests if the call runs as a task.
    inbox: Option<Arc<TaskInbox>>,
    /// The fingerprint and the response of each request that was sent in a session or by a task.
    response_cells: HashMap<String, (u64, Arc<OnceCell<Value>>)>,
    wait_time: WaitTime,
}

/// The time that a handler has waited for responses. Concurrent waits count once.
#[derive(Debug, Default)]
struct WaitTime {
    open_waits: usize,
    since: Option<Instant>,
    finished: Duration,
}

/// A guard that counts the time until it is dropped as time spent waiting for the client.
#[derive(Debug)]
pub(super) struct WaitGuard<'a>(&'a PendingInputRequests);

/// The data that `requestState` keeps from one run of a handler to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallMemo {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    requests: BTreeMap<String, RequestMemo>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RequestMemo {
    #[serde(rename = "q")]
    fingerprint: u64,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    response: Option<Value>,
}

#[derive(Clone, Debug)]
struct MissingCapability {
    required: ClientCapabilities,
    error_text: String,
}

/// The reason why a pending handler is dropped before it has returned.
#[derive(Debug)]
pub(crate) enum Suspension {
    /// The client has to respond to these requests first. The memo is kept for the next run.
    InputRequired(BTreeMap<String, InputRequest>, CallMemo),
    /// The client sent an invalid response.
    InvalidResponse(ErrorObject),
    /// The handler did not repeat the request with this key, which it sent in an earlier run.
    Changed(String),
}

impl PendingInputRequests {
    /// Allows input requests to suspend the handler. The caller has to call
    /// [`take_suspension`](Self::take_suspension) whenever the handler is pending.
    pub(crate) fn allow_suspension(&self) {
        self.lock().is_suspendable = true;
    }

    /// Makes input requests fail, because the handler cannot be suspended.
    pub(crate) fn forbid_suspension(&self) {
        self.lock().is_suspendable = false;
    }

    /// Sets the inbox of a task. With an inbox, the handler waits for its responses.
    pub(crate) fn set_inbox(&self, inbox: Arc<TaskInbox>) {
        self.lock().inbox = Some(inbox);
    }

    pub(super) fn inbox(&self) -> Option<Arc<TaskInbox>> {
        self.lock().inbox.clone()
    }

    /// Restores the state of an earlier run, and adds the responses in the client's request.
    pub(crate) fn resume(
        &self,
        previous: CallMemo,
        input_responses: JsonObject,
        nonce: Option<StateNonce>,
    ) {
        let inner = &mut *self.lock();
        inner.current.values = previous.values.clone();
        inner.previous = previous;
        inner.input_responses = input_responses;
        inner.nonce = nonce;
    }

    /// Removes and returns the nonce of the `requestState` in the client's request.
    pub(crate) fn take_nonce(&self) -> Option<StateNonce> {
        self.lock().nonce.take()
    }

    /// Drops the response with this key if the server has not sent a request with this key.
    pub(crate) fn drop_unrequested(&self, key: &str) {
        let inner = &mut *self.lock();
        if !inner.previous.requests.contains_key(key) {
            inner.input_responses.remove(key);
        }
    }

    /// Finds the response to a request. If there is none, records the request and returns `None`.
    pub(super) fn find<T>(
        &self,
        key: &str,
        request: &ClientRequest,
        read: impl Fn(Value) -> Result<T, String>,
    ) -> Result<Option<T>, InputRequestError> {
        let inner = &mut *self.lock();
        if !inner.is_suspendable {
            return Err(InputRequestError::Unavailable(key.to_owned()));
        }
        let fingerprint = request.fingerprint();
        let (current, previous) = (&inner.current.requests, &inner.previous.requests);
        let earlier = current.get(key).or(previous.get(key));
        if earlier.is_some_and(|earlier| earlier.fingerprint != fingerprint) {
            return Err(InputRequestError::Changed(key.to_owned()));
        }
        let response = earlier.and_then(|earlier| earlier.response.clone());
        let response = response.or_else(|| inner.input_responses.get(key).cloned());
        let found = response.clone().map(read).transpose();
        let response = response.filter(|_| found.is_ok());
        let memo = RequestMemo {
            fingerprint,
            response,
        };
        inner.current.requests.insert(key.to_owned(), memo);
        match found {
            Ok(Some(found)) => Ok(Some(found)),
            Ok(None) if inner.inbox.is_some() => Ok(None),
            Ok(None) => {
                let request = request.to_input_request();
                inner.unanswered.insert(key.to_owned(), request);
                Ok(None)
            }
            Err(problem) => {
                let text = format!("the answer to `{key}` does not fit: {problem}");
                inner.invalid_response = Some(ErrorObject::invalid_params(text));
                Ok(None)
            }
        }
    }

    /// Returns the cell that holds the response to a request. The request is sent only if the cell
    /// is empty.
    pub(super) fn response_cell(
        &self,
        key: &str,
        request: &ClientRequest,
    ) -> Result<Arc<OnceCell<Value>>, InputRequestError> {
        let inner = &mut *self.lock();
        let fingerprint = request.fingerprint();
        let (earlier, cell) = inner
            .response_cells
            .entry(key.to_owned())
            .or_insert_with(|| (fingerprint, Arc::default()));
        if *earlier == fingerprint {
            Ok(Arc::clone(cell))
        } else {
            Err(InputRequestError::Changed(key.to_owned()))
        }
    }

    /// Returns a guard that counts the time until it is dropped as time spent waiting for the
    /// client.
    pub(super) fn begin_wait(&self) -> WaitGuard<'_> {
        let wait_time = &mut self.lock().wait_time;
        wait_time.open_waits += 1;
        wait_time.since.get_or_insert_with(Instant::now);
        WaitGuard(self)
    }

    /// Returns how long the handler has waited for the client so far.
    pub(crate) fn wait_time(&self) -> Duration {
        let wait_time = &self.lock().wait_time;
        let current = wait_time.since.map(|since| since.elapsed());
        wait_time.finished + current.unwrap_or_default()
    }

    /// Records the missing capability in case the handler returns this error.
    pub(super) fn record_unsupported(&self, error: InputRequestError) -> InputRequestError {
        if let InputRequestError::Unsupported { required, .. } = &error {
            self.lock().missing_capability = Some(MissingCapability {
                required: (**required).clone(),
                error_text: error.to_string(),
            });
        }
        error
    }

    /// Returns the value that the handler has stored under this key.
    pub(super) fn memo(&self, key: &str) -> Option<Value> {
        self.lock().current.values.get(key).cloned()
    }

    pub(super) fn set_memo(&self, key: &str, value: Value) {
        self.lock().current.values.insert(key.to_owned(), value);
    }

    /// Returns the reason why a pending handler cannot continue. Returns `None` if the handler does
    /// not wait for the client.
    pub(crate) fn take_suspension(&self) -> Option<Suspension> {
        let inner = &mut *self.lock();
        if let Some(error) = inner.invalid_response.take() {
            return Some(Suspension::InvalidResponse(error));
        }
        if inner.unanswered.is_empty() {
            return None;
        }
        let requests = std::mem::take(&mut inner.unanswered);
        let not_repeated = inner.previous.requests.iter().find(|(key, earlier)| {
            earlier.response.is_some() && !inner.current.requests.contains_key(key.as_str())
        });
        Some(match not_repeated {
            Some((key, _)) => Suspension::Changed(key.clone()),
            None => Suspension::InputRequired(requests, inner.current.clone()),
        })
    }

    /// Returns the missing capabilities if they caused the handler's error. `detail` is the text of
    /// that error, which may have any type but contains the text of the recorded error.
    pub(crate) fn missing_capabilities(&self, detail: &str) -> Option<ClientCapabilities> {
        let missing = self.lock().missing_capability.take()?;
        detail
            .contains(&missing.error_text)
            .then_some(missing.required)
    }

    /// Locks the state. A poisoned state is still consistent, because the only user code that runs
    /// under the lock is `Deserialize`, before any change.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        let wait_time = &mut self.0.lock().wait_time;
        wait_time.open_waits -= 1;
        if wait_time.open_waits == 0
            && let Some(since) = wait_time.since.take()
        {
            wait_time.finished += since.elapsed();
        }
    }
}
