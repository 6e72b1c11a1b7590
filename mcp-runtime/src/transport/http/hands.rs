use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something that may block its thread.
type Job = Box<dyn FnOnce() + Send>;

/// How long a job waits for a thread that is busy before another one joins.
const PATIENCE: Duration = Duration::from_millis(1);

/// Runs what may block on as few threads of tokio's pool as keep up with it.
///
/// To wake a thread costs several times what a quick call takes. So a thread
/// goes on with the next job that waits, and a thread is added only where jobs
/// have waited for a whole [`PATIENCE`].
#[derive(Default)]
pub(super) struct Hands(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// How many jobs have come, and how many of them were taken up.
    given: u64,
    taken: u64,
    /// How many threads work, and whether somebody looks after the jobs that wait.
    threads: usize,
    watched: bool,
    /// How many of the threads have not begun: the pool may have none to spare.
    coming: usize,
}

impl Hands {
    /// Must be called inside a tokio runtime.
    pub(super) fn run(self: &Arc<Self>, job: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        state.waiting.push_back(Box::new(job));
        state.given += 1;
        if state.threads == 0 {
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
mod tests {
    use std::sync::mpsc::channel;

    use tokio::runtime::Runtime;

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn every_job_is_run_once() {
        let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
        let (done, each) = channel();
        let _inside = runtime.enter();
        for number in 0..1000 {
            let done = done.clone();
            hands.run(move || done.send(number).unwrap());
        }
        let mut ran: Vec<i32> = (0..1000)
            .map(|_| each.recv_timeout(LONG).unwrap())
            .collect();
        ran.sort_unstable();
        assert_eq!(ran, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_job_that_blocks_holds_nobody_up() {
        let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
        let (done, all) = channel();
        let _inside = runtime.enter();
        // Each waits for the next one, so that all must run at once.
        let mut wake = None;
        for _ in 0..20 {
            let (sender, woken) = channel::<()>();
            let (before, done) = (wake.replace(sender), done.clone());
            hands.run(move || {
                drop(before);
                let _ = woken.recv_timeout(LONG);
                done.send(()).unwrap();
            });
        }
        drop(wake);
        for _ in 0..20 {
            all.recv_timeout(LONG).unwrap();
        }
    }

    #[test]
    fn a_job_that_panics_ends_alone() {
        let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
        let (done, all) = channel();
        let _inside = runtime.enter();
        for number in 0..20 {
            let done = done.clone();
            hands.run(move || {
                assert!(number % 2 == 0, "on purpose");
                done.send(number).unwrap();
            });
        }
        let ran: Vec<_> = (0..10).map(|_| all.recv_timeout(LONG).unwrap()).collect();
        assert!(ran.iter().all(|number| number % 2 == 0));
    }

    #[test]
    fn a_pool_whose_threads_are_stuck_is_not_filled_with_hands() {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().max_blocking_threads(1).build();
        let (runtime, hands) = (runtime.unwrap(), Arc::<Hands>::default());
        let (done, all) = channel();
        let (release, released) = channel::<()>();
        let _inside = runtime.enter();
        hands.run(move || {
            let _ = released.recv_timeout(LONG);
        });
        for number in 0..5 {
            let done = done.clone();
            hands.run(move || done.send(number).unwrap());
        }
        // The watch looks about as often as this.
        runtime.block_on(async {
            for _ in 0..20 {
                tokio::time::sleep(PATIENCE).await;
            }
        });
        let threads = hands.lock().threads;
        assert!(threads <= 2, "{threads}");
        drop(release);
        let ran: Vec<_> = (0..5).map(|_| all.recv_timeout(LONG).unwrap()).collect();
        assert_eq!(ran, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_runtime_that_ended_is_not_missed() {
        let hands = Arc::<Hands>::default();
        let (done, all) = channel();
        for number in 0..10 {
            let runtime = Runtime::new().unwrap();
            let _inside = runtime.enter();
            let done = done.clone();
            hands.run(move || done.send(number).unwrap());
            all.recv_timeout(LONG).unwrap();
            runtime.shutdown_background();
        }
    }
}
