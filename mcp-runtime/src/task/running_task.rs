use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::time::Instant;

use super::TaskRecord;
use crate::context::{Cancellation, TaskInbox};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{InputRequest, Task, TaskStatus};
use crate::text::iso8601;

/// A callback that receives a task after each change of the task.
pub(crate) type TaskObserver = Arc<dyn Fn(&Task) + Send + Sync>;

/// A task that runs in this process.
pub(crate) struct RunningTask {
    state: Mutex<RunningTaskState>,
    observer: TaskObserver,
    started: Instant,
    pub(super) cancellation: Cancellation,
    pub(crate) inbox: Arc<TaskInbox>,
    /// The signal that the task no longer runs.
    pub(super) finished: Cancellation,
}

struct RunningTaskState {
    record: TaskRecord,
    /// Whether the task is finishing. If so, changes of its input requests are ignored.
    finishing: bool,
    /// Whether the task was stopped because the server stops.
    server_stopped: bool,
    /// The number of the last change of the task's input requests.
    change: u64,
    /// The queue of notifications that have not been sent yet.
    notifications: VecDeque<PendingNotification>,
    /// Whether a thread is sending notifications.
    notifying: bool,
}

type PendingNotification = Box<dyn FnOnce() + Send>;

impl RunningTask {
    pub(super) fn new(
        record: TaskRecord,
        cancellation: Cancellation,
        observer: TaskObserver,
    ) -> Arc<Self> {
        Arc::new_cyclic(|running: &Weak<Self>| {
            let weak = Weak::clone(running);
            let inbox = TaskInbox::new(move |change, input_requests| {
                if let Some(running) = weak.upgrade() {
                    running.set_input_requests(change, input_requests);
                }
            });
            let state = RunningTaskState {
                record,
                finishing: false,
                server_stopped: false,
                change: 0,
                notifications: VecDeque::new(),
                notifying: false,
            };
            Self {
                state: Mutex::new(state),
                observer,
                started: Instant::now(),
                cancellation,
                inbox: Arc::new(inbox),
                finished: Cancellation::default(),
            }
        })
    }

    pub(super) fn record(&self) -> TaskRecord {
        self.state().record.clone()
    }

    /// Whether the task has expired. In contrast to [`TaskRecord::is_expired`], this method uses a
    /// monotonic clock.
    pub(super) fn is_expired(&self) -> bool {
        let ttl = self.state().record.task.ttl_ms.map(Duration::from_millis);
        ttl.is_some_and(|ttl| self.started.elapsed() >= ttl)
    }

    /// Passes the current state of the task to `observer`, in the same order as the notifications
    /// of its changes.
    pub(super) fn notify_current(&self, observer: TaskObserver) {
        self.notify(self.state(), observer);
    }

    /// Passes the current state of the task to `observer`.
    ///
    /// The state is not locked during the call of `observer`, because the observer may use the
    /// task. If the observer changes the task, the notification of the change is sent afterwards.
    fn notify<'a>(&'a self, mut state: MutexGuard<'a, RunningTaskState>, observer: TaskObserver) {
        let task = state.record.task.clone();
        state
            .notifications
            .push_back(Box::new(move || observer(&task)));
        if std::mem::replace(&mut state.notifying, true) {
            return;
        }
        while let Some(send) = state.notifications.pop_front() {
            drop(state);
            send();
            state = self.state();
        }
        state.notifying = false;
    }

    pub(super) fn cancel(&self) {
        self.state().finishing = true;
        self.cancellation.stop();
    }

    /// Stops the task. It is called when the server stops.
    pub(super) fn stop(&self) {
        self.state().server_stopped = true;
        self.cancel();
    }

    /// Whether the task was stopped because the server stops.
    pub(super) fn is_stopped(&self) -> bool {
        self.state().server_stopped
    }

    fn set_input_requests(&self, change: u64, input_requests: BTreeMap<String, InputRequest>) {
        let mut state = self.state();
        if state.finishing || change < state.change {
            return;
        }
        state.change = change;
        if state.record.task.input_requests == input_requests {
            return;
        }
        state.record.task.status = match input_requests.is_empty() {
            true => TaskStatus::Working,
            false => TaskStatus::InputRequired,
        };
        state.record.task.input_requests = input_requests;
        state.record.task.last_updated_at = iso8601(SystemTime::now());
        self.notify(state, Arc::clone(&self.observer));
    }

    /// Returns the record of the finished task without notifying the observer. `outcome` is `None`
    /// if the task was cancelled.
    pub(super) fn finished_record(
        &self,
        outcome: Option<Result<Value, ErrorObject>>,
    ) -> TaskRecord {
        let mut state = self.state();
        state.finishing = true;
        let mut record = state.record.clone();
        drop(state);
        set_outcome(&mut record.task, outcome);
        let now = SystemTime::now();
        record.task.last_updated_at = iso8601(now);
        // The finished record expires by the system clock. The clock may have been set while the
        // task was running, so correct the creation time.
        record.created = now
            .checked_sub(self.started.elapsed())
            .unwrap_or(record.created);
        record
    }

    /// Replaces the record with the finished record, which has already been stored, and notifies
    /// the observer.
    pub(super) fn finish(&self, record: TaskRecord) {
        let mut state = self.state();
        state.record = record;
        self.notify(state, Arc::clone(&self.observer));
    }

    fn state(&self) -> MutexGuard<'_, RunningTaskState> {
        // Poisoning is ignored, because no user code runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the status and the outcome of a finished task. The status is `failed` only for a protocol
/// error (extension, *Task status*).
pub(super) fn set_outcome(task: &mut Task, outcome: Option<Result<Value, ErrorObject>>) {
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

impl fmt::Debug for RunningTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        let task = &state.record.task;
        write!(
            formatter,
            "RunningTask({}, {:?})",
            task.task_id, task.status
        )
    }
}
