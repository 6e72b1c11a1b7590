use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::oneshot;

use crate::protocol::{InputRequest, JsonObject};

type InputRequests = BTreeMap<String, InputRequest>;

/// The input requests of a running task that wait for responses from the client.
pub(crate) struct TaskInbox {
    state: Mutex<InboxState>,
    /// Called with the open requests after each change. The first argument is the number of the
    /// change, because two calls may arrive in the wrong order.
    on_change: Box<dyn Fn(u64, InputRequests) + Send + Sync>,
}

#[derive(Default)]
struct InboxState {
    open: BTreeMap<String, (InputRequest, oneshot::Sender<Value>)>,
    /// All keys that the task has used. A task must not reuse a key (extension, *Input*).
    used_keys: BTreeSet<String>,
    changes: u64,
}

/// A guard that removes an open request when its caller stops waiting.
struct OpenRequest<'a>(&'a TaskInbox, &'a str);

impl TaskInbox {
    pub(crate) fn new(on_change: impl Fn(u64, InputRequests) + Send + Sync + 'static) -> Self {
        Self {
            state: Mutex::default(),
            on_change: Box::new(on_change),
        }
    }

    /// Adds a request and waits for its response. Returns `None` if the key was used before.
    pub(super) async fn request(&self, key: &str, request: InputRequest) -> Option<Value> {
        let response = self.insert(key, request)?;
        let _open = OpenRequest(self, key);
        self.notify();
        response.await.ok()
    }

    fn insert(&self, key: &str, request: InputRequest) -> Option<oneshot::Receiver<Value>> {
        let mut state = self.lock();
        if !state.used_keys.insert(key.to_owned()) {
            return None;
        }
        let (sender, response) = oneshot::channel();
        state.open.insert(key.to_owned(), (request, sender));
        Some(response)
    }

    /// Delivers the responses to the requests with the same keys. Ignores unknown keys.
    ///
    /// # Errors
    /// Returns the key of a response that is not an object. In this case no response is delivered.
    pub(crate) fn deliver(&self, responses: JsonObject) -> Result<(), String> {
        let mut state = self.lock();
        let is_malformed = |(key, response): &(&String, &Value)| {
            !response.is_object() && state.open.contains_key(*key)
        };
        if let Some((key, _)) = responses.iter().find(is_malformed) {
            return Err(key.clone());
        }
        let deliveries = responses.into_iter().filter_map(|(key, response)| {
            let (_, sender) = state.open.remove(&key)?;
            Some((sender, response))
        });
        let deliveries: Vec<_> = deliveries.collect();
        drop(state);
        // Notify before the handler continues, because the handler may end immediately.
        self.notify();
        for (sender, response) in deliveries {
            // Sending fails if the caller has stopped waiting in the meantime.
            let _ = sender.send(response);
        }
        Ok(())
    }

    fn notify(&self) {
        let mut state = self.lock();
        state.changes += 1;
        let change = state.changes;
        let requests = state.open.iter();
        let requests = requests.map(|(key, (request, _))| (key.clone(), request.clone()));
        let requests = requests.collect();
        drop(state);
        (self.on_change)(change, requests);
    }

    /// Locks the state. Poisoning is ignored, because no user code runs while the lock is held.
    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        let was_open = self.0.lock().open.remove(self.1).is_some();
        if was_open {
            self.0.notify();
        }
    }
}

impl fmt::Debug for TaskInbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TaskInbox({} requests)", self.lock().open.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    fn request() -> InputRequest {
        InputRequest {
            method: "roots/list".to_owned(),
            params: None,
        }
    }

    #[tokio::test]
    async fn a_key_is_used_once_and_leaves_nothing_behind() {
        let counts = Arc::<Mutex<Vec<usize>>>::default();
        let recorder = Arc::clone(&counts);
        let inbox = TaskInbox::new(move |change, requests: InputRequests| {
            let mut counts = recorder.lock().unwrap();
            assert_eq!(change, counts.len() as u64 + 1);
            counts.push(requests.len());
        });
        tokio::select! {
            biased;
            _ = inbox.request("a", request()) => panic!("no response was delivered"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(inbox.request("a", request()).await, None);
        let deliver = async {
            let responses = |response| {
                JsonObject::from_iter([
                    ("a".to_owned(), json!("too late")),
                    ("b".to_owned(), response),
                    ("c".to_owned(), json!("unknown key")),
                ])
            };
            assert_eq!(inbox.deliver(responses(json!(null))), Err("b".to_owned()));
            assert_eq!(inbox.deliver(responses(json!({ "roots": [] }))), Ok(()));
        };
        let (response, ()) = tokio::join!(inbox.request("b", request()), deliver);
        assert_eq!(response, Some(json!({ "roots": [] })));
        // The first request is abandoned, and the second request is answered.
        assert_eq!(*counts.lock().unwrap(), [1, 0, 1, 0]);
    }
}
