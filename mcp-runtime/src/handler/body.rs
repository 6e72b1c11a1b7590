use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A body that has its inputs and was not started, and how it wants to be run.
pub enum Body<T> {
    /// Only computes; runs where it is.
    Inline(Box<dyn FnOnce() -> T + Send>),
    /// May block its thread.
    Blocking(Box<dyn FnOnce() -> T + Send>),
    /// To be awaited.
    Future(Pin<Box<dyn Future<Output = T> + Send>>),
}

impl<T> Body<T> {
    /// The body of a `fn` with `inline`.
    pub fn inline(body: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Inline(Box::new(body))
    }

    /// The body of a plain `fn`.
    pub fn blocking(body: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::Blocking(Box::new(body))
    }

    /// The body of an `async fn`.
    pub fn future(body: impl Future<Output = T> + Send + 'static) -> Self {
        Self::Future(Box::pin(body))
    }

    /// The body with something that it holds until it is over: also on a thread
    /// that goes on after nobody waits for it any more.
    pub(crate) fn holding(self, held: impl Send + 'static) -> Self
    where
        T: 'static,
    {
        match self {
            Self::Inline(body) => Self::inline(move || {
                let _held = held;
                body()
            }),
            Self::Blocking(body) => Self::blocking(move || {
                let _held = held;
                body()
            }),
            Self::Future(body) => Self::future(async move {
                let _held = held;
                body.await
            }),
        }
    }
}

impl<T> fmt::Debug for Body<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Inline(_) => "Inline",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}
