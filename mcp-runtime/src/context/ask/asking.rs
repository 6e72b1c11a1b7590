use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::AskError;
use super::desk::Desk;
use super::question::Question;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{ClientCapabilities, InputRequest, JsonObject};
use crate::seal::Ticket;

/// What one call has asked and been told, over all runs of its body.
#[derive(Debug, Default)]
pub(crate) struct Asking(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Whether the body is run by a driver that sees the questions.
    driven: bool,
    /// What earlier runs asked and were told.
    before: Memory,
    /// What this run asked and was told.
    now: Memory,
    /// The answers of this request, for whichever question has their key.
    offered: JsonObject,
    questions: BTreeMap<String, InputRequest>,
    refused: Option<ErrorObject>,
    missing: Option<Missing>,
    /// What the state was that the request came with.
    ticket: Option<Ticket>,
    /// Where a running task asks.
    desk: Option<Arc<Desk>>,
    /// Where the session carries requests: the answers, each asked for once.
    cells: HashMap<String, (u64, Arc<OnceCell<Value>>)>,
    waits: Waits,
}

/// How long a body has waited for answers, several at once counted once.
#[derive(Debug, Default)]
struct Waits {
    open: usize,
    since: Option<Instant>,
    before: Duration,
}

/// A question that is not answered yet.
#[derive(Debug)]
pub(super) struct Wait<'a>(&'a Asking);

/// What travels from one run of a body to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    asked: BTreeMap<String, Asked>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    once: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Asked {
    #[serde(rename = "q")]
    fingerprint: u64,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
}

#[derive(Clone, Debug)]
struct Missing {
    required: ClientCapabilities,
    text: String,
}

/// Why a body that has not returned is not run on.
#[derive(Debug)]
pub(crate) enum Escape {
    /// These have to be answered first; the memory belongs to the next run.
    Asked(BTreeMap<String, InputRequest>, Memory),
    /// The client answered what is no answer.
    Refused(ErrorObject),
    /// The handler asked otherwise than when it ran before.
    Changed(String),
}

impl Asking {
    /// From now on somebody looks for an [`Escape`] whenever the body waits.
    pub(crate) fn drive(&self) {
        self.lock().driven = true;
    }

    /// From now on nobody does.
    pub(crate) fn stay(&self) {
        self.lock().driven = false;
    }

    /// From now on the body is a task: it waits for answers in place.
    pub(crate) fn ask_at(&self, desk: Arc<Desk>) {
        self.lock().desk = Some(desk);
    }

    pub(super) fn desk(&self) -> Option<Arc<Desk>> {
        self.lock().desk.clone()
    }

    /// Takes what the request brings.
    pub(crate) fn resume(&self, before: Memory, offered: JsonObject, ticket: Option<Ticket>) {
        let inner = &mut *self.lock();
        inner.now.once = before.once.clone();
        inner.before = before;
        inner.offered = offered;
        inner.ticket = ticket;
    }

    /// What the state was that the request came with, if nobody took it before.
    pub(crate) fn take_ticket(&self) -> Option<Ticket> {
        self.lock().ticket.take()
    }

    /// Drops an answer to a question that was never asked.
    pub(crate) fn drop_unasked(&self, key: &str) {
        let inner = &mut *self.lock();
        if !inner.before.asked.contains_key(key) {
            inner.offered.remove(key);
        }
    }

    /// Looks for the answer to a question; notes the question if there is none.
    pub(super) fn find<T>(
        &self,
        key: &str,
        question: &Question,
        read: impl Fn(Value) -> Result<T, String>,
    ) -> Result<Option<T>, AskError> {
        let inner = &mut *self.lock();
        if !inner.driven {
            return Err(AskError::Unavailable(key.to_owned()));
        }
        let fingerprint = question.fingerprint();
        let earlier = inner.now.asked.get(key).or(inner.before.asked.get(key));
        if earlier.is_some_and(|earlier| earlier.fingerprint != fingerprint) {
            return Err(AskError::Changed(key.to_owned()));
        }
        let answer = earlier.and_then(|earlier| earlier.answer.clone());
        let answer = answer.or_else(|| inner.offered.get(key).cloned());
        let found = answer.clone().map(read).transpose();
        let answer = answer.filter(|_| found.is_ok());
        let asked = Asked {
            fingerprint,
            answer,
        };
        inner.now.asked.insert(key.to_owned(), asked);
        match found {
            Ok(Some(found)) => Ok(Some(found)),
            Ok(None) if inner.desk.is_some() => Ok(None),
            Ok(None) => {
                inner.questions.insert(key.to_owned(), question.request());
                Ok(None)
            }
            Err(problem) => {
                let text = format!("the answer to `{key}` does not fit: {problem}");
                inner.refused = Some(ErrorObject::invalid_params(text));
                Ok(None)
            }
        }
    }

    /// Where the answer to a question is kept that the session carries.
    pub(super) fn cell(
        &self,
        key: &str,
        question: &Question,
    ) -> Result<Arc<OnceCell<Value>>, AskError> {
        let inner = &mut *self.lock();
        let fingerprint = question.fingerprint();
        let (earlier, cell) = inner
            .cells
            .entry(key.to_owned())
            .or_insert_with(|| (fingerprint, Arc::default()));
        if *earlier == fingerprint {
            Ok(Arc::clone(cell))
        } else {
            Err(AskError::Changed(key.to_owned()))
        }
    }

    /// From now on the body waits for the client, until the value is dropped.
    pub(super) fn wait(&self) -> Wait<'_> {
        let waits = &mut self.lock().waits;
        waits.open += 1;
        waits.since.get_or_insert_with(Instant::now);
        Wait(self)
    }

    /// How long the body has waited for the client so far.
    pub(crate) fn waited(&self) -> Duration {
        let waits = &self.lock().waits;
        waits.before + waits.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Notes that the client cannot be asked, should the handler say no more than that.
    pub(super) fn lacks(&self, error: AskError) -> AskError {
        if let AskError::Unsupported { required, .. } = &error {
            self.lock().missing = Some(Missing {
                required: (**required).clone(),
                text: error.to_string(),
            });
        }
        error
    }

    pub(super) fn kept(&self, key: &str) -> Option<Value> {
        self.lock().now.once.get(key).cloned()
    }

    pub(super) fn keep(&self, key: &str, value: Value) {
        self.lock().now.once.insert(key.to_owned(), value);
    }

    /// Whether a body that waits, waits for the client.
    pub(crate) fn escape(&self) -> Option<Escape> {
        let inner = &mut *self.lock();
        if let Some(refused) = inner.refused.take() {
            return Some(Escape::Refused(refused));
        }
        if inner.questions.is_empty() {
            return None;
        }
        let questions = std::mem::take(&mut inner.questions);
        let forgotten = inner.before.asked.iter().find(|(key, asked)| {
            asked.answer.is_some() && !inner.now.asked.contains_key(key.as_str())
        });
        Some(match forgotten {
            Some((key, _)) => Escape::Changed(key.clone()),
            None => Escape::Asked(questions, inner.now.clone()),
        })
    }

    /// The capabilities that an error of the handler is about, by its text:
    /// whatever its type is, it quotes the error that the question gave.
    pub(crate) fn missing(&self, detail: &str) -> Option<ClientCapabilities> {
        let missing = self.lock().missing.take()?;
        detail.contains(&missing.text).then_some(missing.required)
    }

    /// No foreign code but `Deserialize` runs under the lock, and that before anything changes.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let waits = &mut self.0.lock().waits;
        waits.open -= 1;
        if waits.open == 0
            && let Some(since) = waits.since.take()
        {
            waits.before += since.elapsed();
        }
    }
}
