use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
