//! Whether a form can be asked at all, found before anybody is asked.

use crate::output::Probe;
use crate::schema::{self, Elicitable};

/// What no form can hold of a type that can be asked for.
pub trait FormKind {
    /// The problem, if there is one.
    fn form_problem(&self) -> Option<String>;
}

impl<T: Elicitable> FormKind for Probe<T> {
    fn form_problem(&self) -> Option<String> {
        schema::form::<T>().err()
    }
}

/// Any other type, which the compiler tells of where it is asked for.
pub trait NoFormKind {
    /// Nothing more to say.
    fn form_problem(&self) -> Option<String> {
        None
    }
}

impl<T> NoFormKind for &Probe<T> {}
