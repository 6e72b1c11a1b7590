//! Prepares a call of a handler function: reads its arguments and borrows its state.

mod inputs;
mod prepared_call;
mod resource_lister;
mod typed_handler;

pub use inputs::{Inputs, StateParameters};
pub use prepared_call::PreparedCall;
pub use resource_lister::{ResourceLister, StateProvider, list_resources};
pub use typed_handler::{NotSendFallback, TypedHandler};

use crate::argument::Rejection;

/// A function that reads the inputs of a call and prepares its handler without running the handler.
pub type PrepareFn<T> = fn(&mut Inputs<'_>) -> Result<PreparedCall<T>, Rejection>;
