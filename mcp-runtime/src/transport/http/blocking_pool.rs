use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A closure that may block its thread.
type Job = Box<dyn FnOnce() + Send>;

/// The time that a job is queued before the pool adds a thread.
const QUEUE_TIMEOUT: Duration = Duration::from_millis(1);
/// The time that a thread waits for a job before it returns to tokio's blocking pool.
const IDLE_TIMEOUT: Duration = Duration::from_millis(10);

/// A pool that runs blocking jobs on as few threads of tokio's blocking pool as possible.
///
/// Waking a thread takes several times as long as a quick call. Therefore a thread that has
/// finished a job runs the next queued job, one thread stays idle while the queue is empty, and the
/// pool adds a thread only after a job was queued for [`QUEUE_TIMEOUT`].
#[derive(Default)]
pub(super) struct BlockingPool {
    state: Mutex<BlockingPoolState>,
    wake: Condvar,
}

#[derive(Default)]
struct BlockingPoolState {
    queue: VecDeque<Job>,
    /// The number of jobs that were queued so far.
    queued: u64,
    started: u64,
    threads: usize,
    /// Whether a [`QueueMonitor`] is running.
    monitored: bool,
    /// Whether a thread is idle and no job has requested its wake-up yet.
    idle: bool,
    /// The number of requested threads that have not started, because tokio's pool may be full.
    starting: usize,
}

impl BlockingPool {
    /// Queues a job. This function must be called inside a tokio runtime.
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

    /// Wakes the idle thread after the other ready tasks have run, because one wake-up is then
    /// enough for all jobs that these tasks queue.
    ///
    /// If the wake-up task never runs, the idle thread finds the job after [`IDLE_TIMEOUT`].
    fn wake_idle(self: &Arc<Self>) {
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            // Several threads may wait. A thread that sees `idle` set again continues to wait.
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

    /// Locks the state. Poisoning is ignored, because no job runs while the lock is held.
    fn lock(&self) -> MutexGuard<'_, BlockingPoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread of the pool. It never starts if its runtime shuts down first.
struct PoolThread {
    pool: Arc<BlockingPool>,
    started: bool,
    done: bool,
}

impl PoolThread {
    fn run(mut self) {
        while let Some(job) = self.next() {
            // A panicking job drops its captured values, which ends its stream.
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
        // The lock is still held here, because the next job must see the reduced number of threads.
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

/// A task that adds threads while jobs are queued.
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
                // The lock is still held here, because the next job must see that it has to start a
                // monitor.
                state.monitored = false;
                self.done = true;
                return;
            }
            // If tokio's pool is full, it would only queue a further thread.
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
