use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::oneshot;

use crate::protocol::{InputRequest, JsonObject};

type Questions = BTreeMap<String, InputRequest>;

/// Where a running task leaves its questions until the client brings answers.
pub(crate) struct Desk {
    open: Mutex<OpenQuestions>,
    /// Told of what is open, whenever that changes, with the number of the change:
    /// two of them may come in the wrong order.
    changed: Box<dyn Fn(u64, Questions) + Send + Sync>,
}

#[derive(Default)]
struct OpenQuestions {
    by_key: BTreeMap<String, (InputRequest, oneshot::Sender<Value>)>,
    changes: u64,
}

/// Takes a question away that nobody waits for any longer.
struct Open<'a>(&'a Desk, &'a str);

impl Desk {
    pub(crate) fn new(changed: impl Fn(u64, Questions) + Send + Sync + 'static) -> Self {
        Self {
            open: Mutex::default(),
            changed: Box::new(changed),
        }
    }

    /// Asks, and waits; `None` if the question was put again under its key.
    pub(super) async fn ask(&self, key: &str, request: InputRequest) -> Option<Value> {
        let (sender, answer) = oneshot::channel();
        let open = (request, sender);
        self.lock().by_key.insert(key.to_owned(), open);
        let _open = Open(self, key);
        self.tell();
        answer.await.ok()
    }

    /// Brings answers; those to nothing are ignored.
    pub(crate) fn answer(&self, answers: JsonObject) {
        let mut open = self.lock();
        let answers = answers.into_iter();
        let answered = answers.filter_map(|(key, answer)| {
            let (_, waiting) = open.by_key.remove(&key)?;
            Some((waiting, answer))
        });
        let answered: Vec<_> = answered.collect();
        drop(open);
        // Told before the body goes on, which may end at once.
        self.tell();
        for (waiting, answer) in answered {
            // Whoever asked may have gone in the meantime.
            let _ = waiting.send(answer);
        }
    }

    fn tell(&self) {
        let mut open = self.lock();
        open.changes += 1;
        let change = open.changes;
        let questions = open.by_key.iter();
        let questions = questions.map(|(key, (request, _))| (key.clone(), request.clone()));
        let questions = questions.collect();
        drop(open);
        (self.changed)(change, questions);
    }

    /// No foreign code runs under the lock, so the map is always whole.
    fn lock(&self) -> MutexGuard<'_, OpenQuestions> {
        self.open
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let was_open = self.0.lock().by_key.remove(self.1).is_some();
        if was_open {
            self.0.tell();
        }
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Desk({} questions)", self.lock().by_key.len())
    }
}
