use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::time::Instant;

use super::TaskRecord;
use crate::context::{Cancellation, Desk};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{InputRequest, Task, TaskStatus};
use crate::text::iso8601;

/// Told of a task whenever it is another one.
pub(crate) type Told = Arc<dyn Fn(&Task) + Send + Sync>;

/// A task whose work goes on in this process.
pub(crate) struct Running {
    state: Mutex<State>,
    told: Told,
    started: Instant,
    pub(super) cancellation: Cancellation,
    pub(crate) desk: Arc<Desk>,
    /// Raised when it runs no longer.
    pub(super) over: Cancellation,
}

struct State {
    record: TaskRecord,
    /// Whether its end has begun, so that questions are no concern any more.
    ending: bool,
    /// Whether it ends because the server does.
    stopped: bool,
    /// The last change of its questions.
    change: u64,
    /// What is still to be told, in this order.
    news: VecDeque<News>,
    /// Whether somebody is telling it.
    telling: bool,
}

type News = Box<dyn FnOnce() + Send>;

impl Running {
    pub(super) fn new(record: TaskRecord, cancellation: Cancellation, told: Told) -> Arc<Self> {
        Arc::new_cyclic(|running: &Weak<Self>| {
            let asked = Weak::clone(running);
            let desk = Desk::new(move |change, questions| {
                if let Some(running) = asked.upgrade() {
                    running.ask(change, questions);
                }
            });
            let state = State {
                record,
                ending: false,
                stopped: false,
                change: 0,
                news: VecDeque::new(),
                telling: false,
            };
            Self {
                state: Mutex::new(state),
                told,
                started: Instant::now(),
                cancellation,
                desk: Arc::new(desk),
                over: Cancellation::default(),
            }
        })
    }

    pub(super) fn record(&self) -> TaskRecord {
        self.state().record.clone()
    }

    /// As [`TaskRecord::is_expired`], but by a clock that nobody sets.
    pub(super) fn is_expired(&self) -> bool {
        let ttl = self.state().record.task.ttl_ms.map(Duration::from_millis);
        ttl.is_some_and(|ttl| self.started.elapsed() >= ttl)
    }

    /// Shows the task as it is, in order with the changes that are told.
    pub(super) fn show(&self, show: Told) {
        self.tell(self.state(), show);
    }

    /// Tells what the task is now. Whoever is told may do anything with the task, so
    /// nothing is locked meanwhile; what changes then is told afterwards.
    fn tell<'a>(&'a self, mut state: MutexGuard<'a, State>, told: Told) {
        let task = state.record.task.clone();
        state.news.push_back(Box::new(move || told(&task)));
        if std::mem::replace(&mut state.telling, true) {
            return;
        }
        while let Some(news) = state.news.pop_front() {
            drop(state);
            news();
            state = self.state();
        }
        state.telling = false;
    }

    /// Calls it off.
    pub(super) fn cancel(&self) {
        self.state().ending = true;
        self.cancellation.stop();
    }

    /// Ends it because the server ends.
    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.cancel();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    fn ask(&self, change: u64, questions: BTreeMap<String, InputRequest>) {
        let mut state = self.state();
        if state.ending || change < state.change {
            return;
        }
        state.change = change;
        if state.record.task.input_requests == questions {
            return;
        }
        state.record.task.status = match questions.is_empty() {
            true => TaskStatus::Working,
            false => TaskStatus::InputRequired,
        };
        state.record.task.input_requests = questions;
        state.record.task.last_updated_at = iso8601(SystemTime::now());
        self.tell(state, Arc::clone(&self.told));
    }

    /// The task as it is with its outcome (`None` where it was called off), which
    /// nobody is told yet.
    pub(super) fn ended(&self, outcome: Option<Result<Value, ErrorObject>>) -> TaskRecord {
        let mut state = self.state();
        state.ending = true;
        let mut record = state.record.clone();
        drop(state);
        end(&mut record.task, outcome);
        let now = SystemTime::now();
        record.task.last_updated_at = iso8601(now);
        // Kept from now on by the system's clock, which may have been set meanwhile.
        record.created = now
            .checked_sub(self.started.elapsed())
            .unwrap_or(record.created);
        record
    }

    /// Tells the end, which is kept by now.
    pub(super) fn become_ended(&self, record: TaskRecord) {
        let mut state = self.state();
        state.record = record;
        self.tell(state, Arc::clone(&self.told));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No foreign code runs under the lock, so the state is always whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a task its outcome (extension, *Task status*): only errors of the protocol are failures.
pub(super) fn end(task: &mut Task, outcome: Option<Result<Value, ErrorObject>>) {
    task.input_requests.clear();
    match outcome {
        Some(Ok(result)) => {
            task.status = TaskStatus::Completed;
            task.result = Some(result);
        }
        Some(Err(error)) => {
            task.status = TaskStatus::Failed;
            task.status_message = Some(error.message.clone().into_owned());
            task.error = Some(error);
        }
        None => task.status = TaskStatus::Cancelled,
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        let task = &state.record.task;
        write!(formatter, "Running({}, {:?})", task.task_id, task.status)
    }
}
