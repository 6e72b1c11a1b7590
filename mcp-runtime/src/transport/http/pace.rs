use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// In how many beats the limit is divided: who comes between two waits less long.
const BEATS: u32 = 4;

/// Limits how long calls wait for their answers, with one timer for all of them.
///
/// A timer for each call would be the next one to end, each time, and so wake
/// whatever thread sleeps on the sockets, only to have it sleep less long.
#[derive(Debug)]
pub(super) struct Pace {
    every: Duration,
    beat: Notify,
    waiting: AtomicUsize,
    beating: AtomicBool,
}

impl Pace {
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            every: limit / BEATS,
            beat: Notify::new(),
            waiting: AtomicUsize::new(0),
            beating: AtomicBool::new(false),
        }
    }

    /// What `awaited` gives; `None` where that takes longer than the limit, or
    /// than three quarters of it.
    ///
    /// Must be polled inside a tokio runtime.
    pub(super) async fn limit<T>(self: &Arc<Self>, awaited: impl Future<Output = T>) -> Option<T> {
        let mut awaited = pin!(awaited);
        let _waiting = Waiting::among(&self.waiting);
        for _ in 0..BEATS {
            let mut beat = pin!(self.beat.notified());
            beat.as_mut().enable();
            self.keep_beating();
            tokio::select! {
                biased;
                value = &mut awaited => return Some(value),
                () = beat => {}
            }
        }
        None
    }

    fn keep_beating(self: &Arc<Self>) {
        if !self.beating.load(Ordering::SeqCst) && !self.beating.swap(true, Ordering::SeqCst) {
            let pace = Arc::clone(self);
            tokio::spawn(Beating { pace, over: false }.go_on());
        }
    }
}

/// Counts somebody who waits.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn among(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::SeqCst);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Beats as long as somebody waits.
struct Beating {
    pace: Arc<Pace>,
    over: bool,
}

impl Beating {
    async fn go_on(mut self) {
        let pace = &*self.pace;
        loop {
            tokio::time::sleep(pace.every).await;
            pace.beat.notify_waiters();
            if pace.waiting.load(Ordering::SeqCst) > 0 {
                continue;
            }
            pace.beating.store(false, Ordering::SeqCst);
            // Whoever has come in between saw it beating and relies on it.
            let relied_on = pace.waiting.load(Ordering::SeqCst) > 0;
            if !relied_on || pace.beating.swap(true, Ordering::SeqCst) {
                break;
            }
        }
        self.over = true;
    }
}

/// Its runtime has ended: whoever waits on another one is woken, and goes on there.
impl Drop for Beating {
    fn drop(&mut self) {
        if !self.over {
            self.pace.beating.store(false, Ordering::SeqCst);
            self.pace.beat.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::runtime::Runtime;

    use super::*;

    fn pace() -> Arc<Pace> {
        Arc::new(Pace::new(Duration::from_millis(2)))
    }

    #[test]
    fn what_is_there_is_given_and_what_does_not_come_is_given_up() {
        let (runtime, pace) = (Runtime::new().unwrap(), pace());
        runtime.block_on(async {
            assert_eq!(pace.limit(ready(1)).await, Some(1));
            assert_eq!(pace.limit(pending::<()>()).await, None);
            // Also after the beat had nobody to go on for.
            while pace.beating.load(Ordering::SeqCst) {
                tokio::time::sleep(pace.every).await;
            }
            assert_eq!(pace.limit(pending::<()>()).await, None);
        });
        assert_eq!(pace.waiting.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_runtime_that_ended_is_not_missed() {
        let (first, second, pace) = (Runtime::new().unwrap(), Runtime::new().unwrap(), pace());
        first.block_on(async { assert_eq!(pace.limit(ready(1)).await, Some(1)) });
        let waiting = Arc::clone(&pace);
        let waiting = second.spawn(async move { waiting.limit(pending::<()>()).await });
        first.shutdown_background();
        assert_eq!(second.block_on(waiting).unwrap(), None);
    }
}
