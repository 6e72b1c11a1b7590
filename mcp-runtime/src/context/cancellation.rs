use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// The cancellation signal of one call, shared by its handler and the sender of its reply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancellation(Arc<CancellationState>);

#[derive(Debug, Default)]
struct CancellationState {
    stopped: AtomicBool,
    reply_unwanted: AtomicBool,
    waiters: Notify,
}

/// A guard that cancels a call when it is dropped, unless it was [disarmed](Self::disarm).
#[derive(Debug)]
pub(crate) struct CancelOnDrop(Option<Cancellation>);

impl CancelOnDrop {
    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(cancellation) = &self.0 {
            cancellation.cancel();
        }
    }
}

impl Cancellation {
    /// Stops the call's work and drops its reply.
    pub(crate) fn cancel(&self) {
        self.0.reply_unwanted.store(true, Ordering::Release);
        self.stop();
    }

    /// Stops the call's work, such as an expired task, without dropping its reply.
    pub(crate) fn stop(&self) {
        self.0.stopped.store(true, Ordering::Release);
        self.0.waiters.notify_waiters();
    }

    /// Returns a guard that cancels the call when the guard is dropped.
    pub(crate) fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Some(self.clone()))
    }

    /// Whether the call has been stopped or cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Whether the call was cancelled, which means that its reply must not be sent.
    pub(crate) fn is_unwanted(&self) -> bool {
        self.0.reply_unwanted.load(Ordering::Acquire)
    }

    pub(crate) async fn cancelled(&self) {
        let mut notified = std::pin::pin!(self.0.waiters.notified());
        // Register the waiter before reading the flag. Otherwise a notification in between would be
        // lost.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }
}
