//! Turns a macro's function into a call that is ready to run: reads its arguments and
//! provides its state.

mod inputs;
mod prepared_call;
mod resource_lister;
mod typed_handler;

pub use inputs::{Inputs, StateParameters};
pub use prepared_call::PreparedCall;
pub use resource_lister::{ResourceLister, StateProvider, list_resources};
pub use typed_handler::{NotSendFallback, TypedHandler};

use crate::argument::Rejection;

/// Reads the inputs of a call and prepares its handler, without running it.
pub type PrepareFn<T> = fn(&mut Inputs<'_>) -> Result<PreparedCall<T>, Rejection>;
