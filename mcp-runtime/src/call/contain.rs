//! The user's code: a panic is the failure of one request, and tells no secrets.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::execute::Panic;
use crate::audit::{Secrets, discreetly};
use crate::handler::Body;

/// The body; where its call has secrets, a panic is reported without its message.
pub(super) fn discreet<T: Send + 'static>(secrets: &Secrets, body: Body<T>) -> Body<T> {
    match body {
        body if secrets.are_none() => body,
        Body::Inline(body) => Body::inline(move || discreetly(body)),
        Body::Blocking(body) => Body::blocking(move || discreetly(body)),
        Body::Future(mut body) => {
            Body::future(poll_fn(move |task| discreetly(|| body.as_mut().poll(task))))
        }
    }
}

/// Runs what the user's own types do when they are read.
///
/// # Errors
/// The panic, if they panic.
pub(super) fn contained<T>(secrets: &Secrets, run: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(|| match secrets.are_none() {
        true => run(),
        false => discreetly(run),
    }))
}

/// Begins something and awaits it.
///
/// # Errors
/// The panic, where either panics.
pub(crate) async fn awaited<F: Future>(begin: impl FnOnce() -> F) -> Result<F::Output, Panic> {
    let mut begun = pin!(catch_unwind(AssertUnwindSafe(begin))?);
    poll_fn(|task| {
        let polled = catch_unwind(AssertUnwindSafe(|| begun.as_mut().poll(task)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}
