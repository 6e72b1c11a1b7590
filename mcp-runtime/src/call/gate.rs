use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::target::Target;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;

/// Why a request may not go on.
#[derive(Debug)]
#[allow(dead_code, reason = "no gate refuses anything yet")]
pub(crate) enum Denial {
    /// Told to the client's program.
    Protocol(ErrorObject),
    /// Told to the model, where the request has one.
    Model(String),
}

pub(crate) type Verdict = Result<(), Denial>;

/// The answer of a gate: at once, or once somebody was asked.
///
/// It borrows nothing, so a request can wait behind it.
pub(crate) enum Gate {
    Ready(Verdict),
    #[allow(dead_code, reason = "no gate waits yet")]
    Later(Pin<Box<dyn Future<Output = Verdict> + Send>>),
}

impl Gate {
    pub(super) const OPEN: Self = Self::Ready(Ok(()));

    /// The next gate, which is only asked once this one is open.
    pub(super) fn then<T: Target>(
        self,
        target: &Arc<T>,
        scope: &RequestScope<'_>,
        next: fn(&T, &RequestScope<'_>) -> Self,
    ) -> Self {
        let first = match self {
            Self::Ready(Ok(())) => return next(target, scope),
            Self::Ready(denied) => return Self::Ready(denied),
            Self::Later(first) => first,
        };
        let (target, context) = (Arc::clone(target), Arc::clone(scope.context()));
        Self::Later(Box::pin(async move {
            first.await?;
            let gate = next(&target, &RequestScope::of(&context, None));
            gate.verdict().await
        }))
    }

    /// Waits for the answer.
    pub(crate) async fn verdict(self) -> Verdict {
        match self {
            Self::Ready(verdict) => verdict,
            Self::Later(verdict) => verdict.await,
        }
    }
}

/// As a protocol error, where there is no model to tell.
impl From<Denial> for ErrorObject {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::Protocol(error) => error,
            Denial::Model(text) => Self::new(crate::jsonrpc::ErrorCode::FORBIDDEN, text),
        }
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(verdict) => formatter.debug_tuple("Ready").field(verdict).finish(),
            Self::Later(_) => formatter.write_str("Later"),
        }
    }
}
