use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::codec::Payload;
use crate::context::Cancellation;
use crate::jsonrpc::ErrorObject;

/// What a request comes to.
pub(crate) type Reply = Result<Payload, ErrorObject>;

/// Something done, or something still to do and how it wants to be done.
pub(crate) enum Work<T> {
    /// Done.
    Ready(T),
    /// May block its thread.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// To be awaited.
    Future(Pin<Box<dyn Future<Output = T> + Send>>),
}

impl Work<Reply> {
    /// Runs to the reply; `None` where the client no longer wants it.
    ///
    /// A body that blocks runs on tokio's blocking pool.
    pub(crate) async fn run(self, cancellation: &Cancellation) -> Option<Reply> {
        match self {
            Self::Ready(reply) => Some(reply),
            Self::Blocking(body) => {
                let cancelled = cancellation.clone();
                let unless_cancelled = move || (!cancelled.is_cancelled()).then(body);
                // It fails where the runtime is shutting down: nobody is left to answer.
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

impl<T> fmt::Debug for Work<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ready(_) => "Ready",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}
