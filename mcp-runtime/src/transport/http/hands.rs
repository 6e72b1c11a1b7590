use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something that may block its thread.
type Job = Box<dyn FnOnce() + Send>;

/// How long a job waits for a thread that is busy before another one joins.
const PATIENCE: Duration = Duration::from_millis(1);
/// How long a thread without a job rests: not so long that the pool misses it.
const REST: Duration = Duration::from_millis(10);

/// Runs what may block on as few threads of tokio's pool as keep up with it.
///
/// To wake a thread costs several times what a quick call takes. So a thread
/// goes on with the next job that waits, one of them rests here when there is none,
/// and a thread is added only where jobs have waited for a whole [`PATIENCE`].
#[derive(Default)]
pub(super) struct Hands {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// How many jobs have come, and how many of them were taken up.
    given: u64,
    taken: u64,
    /// How many threads work, and whether somebody looks after the jobs that wait.
    threads: usize,
    watched: bool,
    /// Whether one of them rests and nobody has called it yet.
    resting: bool,
    /// How many of the threads have not begun: the pool may have none to spare.
    coming: usize,
}

impl Hands {
    /// Must be called inside a tokio runtime.
    pub(super) fn run(self: &Arc<Self>, job: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        state.waiting.push_back(Box::new(job));
        state.given += 1;
        if std::mem::take(&mut state.resting) {
            drop(state);
            self.call();
        } else if state.threads == 0 {
            let hand = self.hand(&mut state);
            drop(state);
            tokio::task::spawn_blocking(move || hand.work());
        } else if !state.watched {
            state.watched = true;
            let hands = Arc::clone(self);
            drop(state);
            let watch = Watch { hands, left: false };
            tokio::spawn(watch.keep());
        }
    }

    /// Wakes the thread that rests, once whatever came together with the job was
    /// looked at: more jobs may be among it, for which it need not be woken again.
    ///
    /// Where that does not come to pass, the rest is over soon all the same.
    fn call(self: &Arc<Self>) {
        let hands = Arc::clone(self);
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            // Of several, only one knows that it was called.
            hands.wake.notify_all();
        });
    }

    fn hand(self: &Arc<Self>, state: &mut State) -> Hand {
        state.threads += 1;
        state.coming += 1;
        Hand {
            hands: Arc::clone(self),
            begun: false,
            left: false,
        }
    }

    /// No job runs under the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread at work; also one that never came to it, since its runtime ended.
struct Hand {
    hands: Arc<Hands>,
    begun: bool,
    left: bool,
}

impl Hand {
    fn work(mut self) {
        while let Some(job) = self.next() {
            // Whoever waits for the job hears of its end as it is dropped.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }

    fn next(&mut self) -> Option<Job> {
        let mut state = self.hands.lock();
        if !std::mem::replace(&mut self.begun, true) {
            state.coming -= 1;
        }
        if state.waiting.is_empty() && !state.resting {
            state.resting = true;
            let idle = |state: &mut State| state.resting;
            let rested = self.hands.wake.wait_timeout_while(state, REST, idle);
            let (awake, timeout) = rested.unwrap_or_else(PoisonError::into_inner);
            state = awake;
            if timeout.timed_out() {
                state.resting = false;
            }
        }
        if let Some(job) = state.waiting.pop_front() {
            state.taken += 1;
            return Some(job);
        }
        // Under the lock that saw it: the next job finds one thread less.
        state.threads -= 1;
        self.left = true;
        None
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        if !self.left {
            let mut state = self.hands.lock();
            state.threads -= 1;
            state.coming -= usize::from(!self.begun);
        }
    }
}

/// Looks after the jobs that wait, as long as there are any.
struct Watch {
    hands: Arc<Hands>,
    left: bool,
}

impl Watch {
    async fn keep(mut self) {
        loop {
            let given = self.hands.lock().given;
            tokio::time::sleep(PATIENCE).await;
            let mut state = self.hands.lock();
            if state.waiting.is_empty() {
                // Under the lock that saw it: the next job brings its own watch.
                state.watched = false;
                self.left = true;
                return;
            }
            // A pool without a thread to spare would only queue one hand after another.
            if state.taken < given && state.coming == 0 {
                let hand = self.hands.hand(&mut state);
                drop(state);
                tokio::task::spawn_blocking(move || hand.work());
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.left {
            self.hands.lock().watched = false;
        }
    }
}

impl fmt::Debug for Hands {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(formatter, "Hands({} of {})", state.taken, state.given)
    }
}

#[cfg(test)]
mod tests;
