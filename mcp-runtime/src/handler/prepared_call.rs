use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A handler that has its inputs but has not started, and how to run it.
pub enum PreparedCall<T> {
    /// Runs on the current thread, because it only computes.
    Inline(Box<dyn FnOnce() -> T + Send>),
    /// Runs on a thread that it may block.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// A future to poll.
    Future(Pin<Box<dyn Future<Output = T> + Send>>),
}

impl<T> PreparedCall<T> {
    /// Prepares a `fn` with `inline`.
    pub fn inline(handler: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Inline(Box::new(handler))
    }

    /// Prepares a plain `fn`.
    pub fn blocking(handler: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Blocking(Box::new(handler))
    }

    /// Prepares an `async fn`.
    pub fn future(handler: impl Future<Output = T> + Send + 'static) -> Self {
        Self::Future(Box::pin(handler))
    }

    /// Holds a value until the handler ends, even on a thread that outlives its call.
    pub(crate) fn holding(self, held: impl Send + 'static) -> Self
    where
        T: 'static,
    {
        match self {
            Self::Inline(handler) => Self::inline(move || {
                let _held = held;
                handler()
            }),
            Self::Blocking(handler) => Self::blocking(move || {
                let _held = held;
                handler()
            }),
            Self::Future(handler) => Self::future(async move {
                let _held = held;
                handler.await
            }),
        }
    }
}

impl<T> fmt::Debug for PreparedCall<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Inline(_) => "Inline",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}
