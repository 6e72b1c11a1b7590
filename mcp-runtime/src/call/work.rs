use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::codec::Payload;
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

impl<T> fmt::Debug for Work<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ready(_) => "Ready",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}
