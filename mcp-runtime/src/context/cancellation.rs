use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Tells the two sides of one call that its answer is no longer wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancellation(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    unwanted: AtomicBool,
    waiting: Notify,
}

/// Cancels what nobody waits for any more.
#[derive(Debug)]
pub(crate) struct OnDrop(Option<Cancellation>);

impl OnDrop {
    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for OnDrop {
    fn drop(&mut self) {
        if let Some(cancellation) = &self.0 {
            cancellation.cancel();
        }
    }
}

impl Cancellation {
    pub(crate) fn cancel(&self) {
        self.0.unwanted.store(true, Ordering::Release);
        self.stop();
    }

    /// Ends the work, as of a task that expires: what its request was answered, or
    /// still will be, is another matter.
    pub(crate) fn stop(&self) {
        self.0.raised.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }

    /// Cancels when it is dropped, unless [disarmed](OnDrop::disarm) before.
    pub(crate) fn on_drop(&self) -> OnDrop {
        OnDrop(Some(self.clone()))
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::Acquire)
    }

    /// Whether an answer has nobody who waits for it.
    pub(crate) fn is_unwanted(&self) -> bool {
        self.0.unwanted.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        let mut notified = std::pin::pin!(self.0.waiting.notified());
        // Registered before the flag is read, so that no wake-up is lost between the two.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }
}
