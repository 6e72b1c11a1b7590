use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A closure that may block its thread.
type Job = Box<dyn FnOnce() + Send>;

/// How long a job is queued before another thread is added.
const QUEUE_TIMEOUT: Duration = Duration::from_millis(1);
/// How long a thread without a job stays, short enough that tokio's pool can spare it.
const IDLE_TIMEOUT: Duration = Duration::from_millis(10);

/// Runs blocking jobs on as few threads of tokio's blocking pool as keep up.
///
/// Waking a thread costs several times what a quick call takes. So a thread goes on
/// with the next queued job, one thread stays idle here when the queue is empty, and
/// a thread is added only after jobs were queued for [`QUEUE_TIMEOUT`].
#[derive(Default)]
pub(super) struct BlockingPool {
    state: Mutex<BlockingPoolState>,
    wake: Condvar,
}

#[derive(Default)]
struct BlockingPoolState {
    queue: VecDeque<Job>,
    /// How many jobs were queued, and how many of them were started.
    queued: u64,
    started: u64,
    threads: usize,
    /// Whether a [`QueueMonitor`] runs.
    monitored: bool,
    /// Whether a thread is idle and not being woken yet.
    idle: bool,
    /// Threads that have not started: tokio's pool may have none to spare.
    starting: usize,
}

impl BlockingPool {
    /// Queues a job. Must be called inside a tokio runtime.
    pub(super) fn run(self: &Arc<Self>, job: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        state.queue.push_back(Box::new(job));
        state.queued += 1;
        if std::mem::take(&mut state.idle) {
            drop(state);
            self.wake_idle();
        } else if state.threads == 0 {
            let thread = self.add_thread(&mut state);
            drop(state);
            tokio::task::spawn_blocking(move || thread.run());
        } else if !state.monitored {
            state.monitored = true;
            let pool = Arc::clone(self);
            drop(state);
            let monitor = QueueMonitor { pool, done: false };
            tokio::spawn(monitor.run());
        }
    }

    /// Wakes the idle thread after the tasks that are ready now have run: they may
    /// queue more jobs, which then need no further wake-up.
    ///
    /// If this task never runs, the idle thread finds the job at its timeout.
    fn wake_idle(self: &Arc<Self>) {
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            // Several threads may wait; those that see `idle` set again go on waiting.
            pool.wake.notify_all();
        });
    }

    fn add_thread(self: &Arc<Self>, state: &mut BlockingPoolState) -> PoolThread {
        state.threads += 1;
        state.starting += 1;
        PoolThread {
            pool: Arc::clone(self),
            started: false,
            done: false,
        }
    }

    /// No job runs under the lock, so a poisoned state is still consistent.
    fn lock(&self) -> MutexGuard<'_, BlockingPoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread of the pool, or one that never started because its runtime shut down.
struct PoolThread {
    pool: Arc<BlockingPool>,
    started: bool,
    done: bool,
}

impl PoolThread {
    fn run(mut self) {
        while let Some(job) = self.next() {
            // The job's captures are dropped as it unwinds, which ends its stream.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&mut self) -> Option<Job> {
        let mut state = self.pool.lock();
        if !std::mem::replace(&mut self.started, true) {
            state.starting -= 1;
        }
        if state.queue.is_empty() && !state.idle {
            state.idle = true;
            let is_idle = |state: &mut BlockingPoolState| state.idle;
            let waited = self
                .pool
                .wake
                .wait_timeout_while(state, IDLE_TIMEOUT, is_idle);
            let (locked, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = locked;
            if timeout.timed_out() {
                state.idle = false;
            }
        }
        if let Some(job) = state.queue.pop_front() {
            state.started += 1;
            return Some(job);
        }
        // Under the same lock, so that the next job sees one thread less.
        state.threads -= 1;
        self.done = true;
        None
    }
}

impl Drop for PoolThread {
    fn drop(&mut self) {
        if !self.done {
            let mut state = self.pool.lock();
            state.threads -= 1;
            state.starting -= usize::from(!self.started);
        }
    }
}

/// The task that adds threads while jobs are queued.
struct QueueMonitor {
    pool: Arc<BlockingPool>,
    done: bool,
}

impl QueueMonitor {
    async fn run(mut self) {
        loop {
            let queued = self.pool.lock().queued;
            tokio::time::sleep(QUEUE_TIMEOUT).await;
            let mut state = self.pool.lock();
            if state.queue.is_empty() {
                // Under the same lock, so that the next job starts its own monitor.
                state.monitored = false;
                self.done = true;
                return;
            }
            // While tokio's pool is full, another thread would only be queued there.
            if state.started < queued && state.starting == 0 {
                let thread = self.pool.add_thread(&mut state);
                drop(state);
                tokio::task::spawn_blocking(move || thread.run());
            }
        }
    }
}

impl Drop for QueueMonitor {
    fn drop(&mut self) {
        if !self.done {
            self.pool.lock().monitored = false;
        }
    }
}

impl fmt::Debug for BlockingPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(
            formatter,
            "BlockingPool({} of {})",
            state.started, state.queued
        )
    }
}

#[cfg(test)]
mod tests;
