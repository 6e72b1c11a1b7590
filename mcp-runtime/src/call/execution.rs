use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::context::Cancellation;
use crate::registry::Reply;

/// A finished value, or the work that produces the value.
pub(crate) enum Execution<T> {
    /// The value is ready.
    Ready(T),
    /// The value is returned by a function that may block its thread.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// The value is the output of a future.
    Future(Pin<Box<dyn Future<Output = T> + Send>>),
}

impl Execution<Reply> {
    /// Runs the work and returns its reply, or `None` if the request is cancelled.
    ///
    /// A function that may block runs on tokio's blocking pool.
    pub(crate) async fn run(self, cancellation: &Cancellation) -> Option<Reply> {
        match self {
            Self::Ready(reply) => Some(reply),
            Self::Blocking(work) => {
                let cancelled = cancellation.clone();
                let unless_cancelled = move || (!cancelled.is_cancelled()).then(work);
                // The join fails only while the runtime shuts down. No reply is needed then.
                let joined = tokio::task::spawn_blocking(unless_cancelled).await;
                joined.unwrap_or_default()
            }
            Self::Future(future) => tokio::select! {
                biased;
                () = cancellation.cancelled() => None,
                reply = future => Some(reply),
            },
        }
    }
}

impl<T> fmt::Debug for Execution<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ready(_) => "Ready",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}
