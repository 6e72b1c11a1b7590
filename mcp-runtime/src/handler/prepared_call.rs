use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A handler that has its inputs but has not started to run.
pub enum PreparedCall<T> {
    /// The handler runs on the current thread, because it does not block and is fast.
    Inline(Box<dyn FnOnce() -> T + Send>),
    /// The handler runs on a thread that it may block.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// The handler is a future.
    Future(Pin<Box<dyn Future<Output = T> + Send>>),
}

impl<T> PreparedCall<T> {
    /// Prepares the call of a `fn` with the attribute `inline`.
    pub fn inline(handler: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Inline(Box::new(handler))
    }

    /// Prepares the call of a `fn` without the attribute `inline`.
    pub fn blocking(handler: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Blocking(Box::new(handler))
    }

    /// Prepares the call of an `async fn`.
    pub fn future(handler: impl Future<Output = T> + Send + 'static) -> Self {
        Self::Future(Box::pin(handler))
    }

    /// Makes the handler hold a value until the handler ends, even if the call ends earlier.
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
