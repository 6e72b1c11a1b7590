//! Checks whether the types that a handler elicits can be forms, when the server starts.
//!
//! The compiler's method resolution picks [`FormCheck`] for an [`Elicitable`] type. For any other
//! type, it picks [`FormCheckFallback`], which needs one more automatic reference (autoref
//! specialization).

use crate::output::TypeTag;
use crate::schema::{self, Elicitable};

/// The check of a type that implements [`Elicitable`].
pub trait FormCheck {
    /// Returns the reason why a form cannot hold the type, or `None` if it can.
    fn form_problem(&self) -> Option<String>;
}

impl<T: Elicitable> FormCheck for TypeTag<T> {
    fn form_problem(&self) -> Option<String> {
        schema::elicitation_form::<T>().err()
    }
}

/// The check of a type that does not implement [`Elicitable`]. It always succeeds, because the
/// compiler already reports an error at the call that elicits the type.
pub trait FormCheckFallback {
    /// Returns `None`, which means that no problem was found.
    fn form_problem(&self) -> Option<String> {
        None
    }
}

impl<T> FormCheckFallback for &TypeTag<T> {}
