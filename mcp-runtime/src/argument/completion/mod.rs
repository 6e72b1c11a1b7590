//! Completion of argument values while a user types
//! (specification, *Completion*).

mod candidates;
mod completer;
mod request;
mod source;

pub use candidates::Completable;
pub use completer::{Completer, CompletionFn, complete_argument};
pub use request::CompletionRequest;
pub(crate) use source::CompletionSource;
