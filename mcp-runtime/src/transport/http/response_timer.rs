use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// The number of ticks per time limit. A call times out at its fourth tick, which comes after three
/// to four intervals.
const TICKS: u32 = 4;

/// A timer that limits how long calls wait for their responses. All calls share one timer.
///
/// A separate timer for each call would be slower, because starting a timer can wake the thread
/// that waits for sockets.
#[derive(Debug)]
pub(super) struct ResponseTimer {
    interval: Duration,
    tick: Notify,
    waiting: AtomicUsize,
    ticking: AtomicBool,
}

impl ResponseTimer {
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            interval: limit / TICKS,
            tick: Notify::new(),
            waiting: AtomicUsize::new(0),
            ticking: AtomicBool::new(false),
        }
    }

    /// Returns the output of `future`, or `None` if it times out. The timeout occurs after three
    /// quarters of the time limit at the earliest, and after the whole limit at the latest.
    ///
    /// The future must be polled inside a tokio runtime.
    pub(super) async fn limit<T>(self: &Arc<Self>, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let _waiting = WaitGuard::new(&self.waiting);
        for _ in 0..TICKS {
            let mut tick = pin!(self.tick.notified());
            tick.as_mut().enable();
            self.ensure_ticking();
            tokio::select! {
                biased;
                value = &mut future => return Some(value),
                () = tick => {}
            }
        }
        None
    }

    fn ensure_ticking(self: &Arc<Self>) {
        if !self.ticking.load(Ordering::SeqCst) && !self.ticking.swap(true, Ordering::SeqCst) {
            let timer = Arc::clone(self);
            tokio::spawn(Ticker { timer, done: false }.run());
        }
    }
}

/// A guard that counts one waiting call until it is dropped.
struct WaitGuard<'a>(&'a AtomicUsize);

impl<'a> WaitGuard<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::SeqCst);
        Self(waiting)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A task that sends a tick at every interval while calls wait.
struct Ticker {
    timer: Arc<ResponseTimer>,
    done: bool,
}

impl Ticker {
    async fn run(mut self) {
        let timer = &*self.timer;
        loop {
            tokio::time::sleep(timer.interval).await;
            timer.tick.notify_waiters();
            if timer.waiting.load(Ordering::SeqCst) > 0 {
                continue;
            }
            timer.ticking.store(false, Ordering::SeqCst);
            // A call that started to wait after the last check of `waiting` may rely on this task.
            let needed = timer.waiting.load(Ordering::SeqCst) > 0;
            if !needed || timer.ticking.swap(true, Ordering::SeqCst) {
                break;
            }
        }
        self.done = true;
    }
}

/// Wakes the waiting calls when the runtime of this task shuts down. Calls on other runtimes then
/// start a new ticker.
impl Drop for Ticker {
    fn drop(&mut self) {
        if !self.done {
            self.timer.ticking.store(false, Ordering::SeqCst);
            self.timer.tick.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::runtime::Runtime;

    use super::*;

    fn timer() -> Arc<ResponseTimer> {
        Arc::new(ResponseTimer::new(Duration::from_millis(2)))
    }

    #[test]
    fn returns_the_output_or_times_out() {
        let (runtime, timer) = (Runtime::new().unwrap(), timer());
        runtime.block_on(async {
            assert_eq!(timer.limit(ready(1)).await, Some(1));
            assert_eq!(timer.limit(pending::<()>()).await, None);
            // The timeout must also work after the ticker has stopped.
            while timer.ticking.load(Ordering::SeqCst) {
                tokio::time::sleep(timer.interval).await;
            }
            assert_eq!(timer.limit(pending::<()>()).await, None);
        });
        assert_eq!(timer.waiting.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn survives_the_shutdown_of_a_runtime() {
        let (first, second, timer) = (Runtime::new().unwrap(), Runtime::new().unwrap(), timer());
        first.block_on(async { assert_eq!(timer.limit(ready(1)).await, Some(1)) });
        let waiting = Arc::clone(&timer);
        let waiting = second.spawn(async move { waiting.limit(pending::<()>()).await });
        first.shutdown_background();
        assert_eq!(second.block_on(waiting).unwrap(), None);
    }
}
