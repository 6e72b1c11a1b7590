//! Checks at start-up whether the types that a handler elicits can be forms.
//!
//! Method resolution picks [`FormCheck`] for an [`Elicitable`] type, and
//! [`FormCheckFallback`], one autoref later, for any other.

use crate::output::TypeTag;
use crate::schema::{self, Elicitable};

/// Checks a type that implements [`Elicitable`].
pub trait FormCheck {
    /// Returns why a form cannot hold the type, if it cannot.
    fn form_problem(&self) -> Option<String>;
}

impl<T: Elicitable> FormCheck for TypeTag<T> {
    fn form_problem(&self) -> Option<String> {
        schema::elicitation_form::<T>().err()
    }
}

/// Accepts any other type; the compiler rejects it where it is elicited.
pub trait FormCheckFallback {
    /// Returns `None`.
    fn form_problem(&self) -> Option<String> {
        None
    }
}

impl<T> FormCheckFallback for &TypeTag<T> {}
