use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Tells the two sides of one call that its answer is no longer wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancellation(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    waiting: Notify,
}

impl Cancellation {
    pub(crate) fn cancel(&self) {
        self.0.raised.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.raised.load(Ordering::Acquire)
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
