use std::collections::{BTreeMap, BTreeSet};
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
    /// Every key that was ever here: none is used again in the life of a task
    /// (extension, *Input*).
    used: BTreeSet<String>,
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

    /// Asks, and waits; `None` if the key was asked before, and nobody waited for
    /// its answer any longer.
    pub(super) async fn ask(&self, key: &str, request: InputRequest) -> Option<Value> {
        let answer = self.put(key, request)?;
        let _open = Open(self, key);
        self.tell();
        answer.await.ok()
    }

    fn put(&self, key: &str, request: InputRequest) -> Option<oneshot::Receiver<Value>> {
        let mut open = self.lock();
        if !open.used.insert(key.to_owned()) {
            return None;
        }
        let (sender, answer) = oneshot::channel();
        open.by_key.insert(key.to_owned(), (request, sender));
        Some(answer)
    }

    /// Brings answers; those to nothing are ignored.
    ///
    /// # Errors
    /// The key of an answer that is no object; then none is taken.
    pub(crate) fn answer(&self, answers: JsonObject) -> Result<(), String> {
        let mut open = self.lock();
        let malformed = |(key, answer): &(&String, &Value)| {
            !answer.is_object() && open.by_key.contains_key(*key)
        };
        if let Some((key, _)) = answers.iter().find(malformed) {
            return Err(key.clone());
        }
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
        Ok(())
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
        let told = Arc::<Mutex<Vec<usize>>>::default();
        let heard = Arc::clone(&told);
        let desk = Desk::new(move |change, questions: Questions| {
            let mut heard = heard.lock().unwrap();
            assert_eq!(change, heard.len() as u64 + 1);
            heard.push(questions.len());
        });
        tokio::select! {
            biased;
            _ = desk.ask("a", request()) => panic!("nobody has answered"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(desk.ask("a", request()).await, None);
        let answered = async {
            let answers = |answer| {
                JsonObject::from_iter([
                    ("a".to_owned(), json!("too late")),
                    ("b".to_owned(), answer),
                    ("c".to_owned(), json!("to nothing")),
                ])
            };
            assert_eq!(desk.answer(answers(json!(null))), Err("b".to_owned()));
            assert_eq!(desk.answer(answers(json!({ "roots": [] }))), Ok(()));
        };
        let (answer, ()) = tokio::join!(desk.ask("b", request()), answered);
        assert_eq!(answer, Some(json!({ "roots": [] })));
        // Asked, given up, asked, answered.
        assert_eq!(*told.lock().unwrap(), [1, 0, 1, 0]);
    }
}
