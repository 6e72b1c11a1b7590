//! Runs user code and catches its panics.
//!
//! A panic fails one request only. The report of a panic does not contain secret arguments.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::execute::PanicPayload;
use crate::audit::{Secrets, with_redacted_panics};
use crate::handler::PreparedCall;

/// Omits the panic messages of the handler from all reports if the call has secret arguments.
pub(super) fn redact_panics<T: Send + 'static>(
    secrets: &Secrets,
    handler: PreparedCall<T>,
) -> PreparedCall<T> {
    match handler {
        handler if secrets.is_empty() => handler,
        PreparedCall::Inline(handler) => {
            PreparedCall::inline(move || with_redacted_panics(handler))
        }
        PreparedCall::Blocking(handler) => {
            PreparedCall::blocking(move || with_redacted_panics(handler))
        }
        PreparedCall::Future(mut handler) => PreparedCall::future(poll_fn(move |task| {
            with_redacted_panics(|| handler.as_mut().poll(task))
        })),
    }
}

/// Runs user code, such as the `Deserialize` implementation of an argument type.
///
/// # Errors
/// Returns the payload of the panic if `run` panics.
pub(super) fn catch_panic<T>(
    secrets: &Secrets,
    run: impl FnOnce() -> T,
) -> Result<T, PanicPayload> {
    catch_unwind(AssertUnwindSafe(|| match secrets.is_empty() {
        true => run(),
        false => with_redacted_panics(run),
    }))
}

/// Calls a function and awaits the future that it returns.
///
/// # Errors
/// Returns the payload of the panic if the function or the future panics.
pub(crate) async fn catch_panic_async<F: Future>(
    start: impl FnOnce() -> F,
) -> Result<F::Output, PanicPayload> {
    let mut future = pin!(catch_unwind(AssertUnwindSafe(start))?);
    poll_fn(|task| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}
