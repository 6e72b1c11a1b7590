use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::oneshot;

use crate::protocol::{InputRequest, JsonObject};

type Questions = BTreeMap<String, InputRequest>;

/// Where a running task leaves its questions until the client brings answers.
pub(crate) struct Desk {
    open: Mutex<BTreeMap<String, (InputRequest, oneshot::Sender<Value>)>>,
    /// Told of what is open, whenever that changes.
    changed: Box<dyn Fn(Questions) + Send + Sync>,
}

/// Takes a question away that nobody waits for any longer.
struct Open<'a>(&'a Desk, &'a str);

impl Desk {
    pub(crate) fn new(changed: impl Fn(Questions) + Send + Sync + 'static) -> Self {
        Self {
            open: Mutex::default(),
            changed: Box::new(changed),
        }
    }

    /// Asks, and waits; `None` if the question was put again under its key.
    pub(super) async fn ask(&self, key: &str, request: InputRequest) -> Option<Value> {
        let (sender, answer) = oneshot::channel();
        self.lock().insert(key.to_owned(), (request, sender));
        let _open = Open(self, key);
        self.tell();
        answer.await.ok()
    }

    /// Brings answers; those to nothing are ignored.
    pub(crate) fn answer(&self, answers: JsonObject) {
        for (key, answer) in answers {
            let open = self.lock().remove(&key);
            if let Some((_, waiting)) = open {
                // Whoever asked may have gone in the meantime.
                let _ = waiting.send(answer);
            }
        }
        self.tell();
    }

    fn tell(&self) {
        let open = self.lock();
        let questions = open.iter();
        let questions = questions.map(|(key, (request, _))| (key.clone(), request.clone()));
        let questions = questions.collect();
        drop(open);
        (self.changed)(questions);
    }

    /// No foreign code runs under the lock, so the map is always whole.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, (InputRequest, oneshot::Sender<Value>)>> {
        self.open
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let was_open = self.0.lock().remove(self.1).is_some();
        if was_open {
            self.0.tell();
        }
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Desk({} questions)", self.lock().len())
    }
}
