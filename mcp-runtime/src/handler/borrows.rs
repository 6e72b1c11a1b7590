use std::sync::Arc;

use super::Inputs;
use crate::argument::Refusal;
use crate::context::Injected;

/// What a function borrows from the server: the first and the others, in pairs
/// down to `()`.
pub trait Borrows: Sized + Send + 'static {
    /// What this call is lent.
    ///
    /// # Errors
    /// [`Refusal::State`] if there is none; the start has checked that there is.
    fn lent(inputs: &Inputs<'_>) -> Result<Self, Refusal>;
}

impl Borrows for () {
    fn lent(_: &Inputs<'_>) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<First: ?Sized + Injected, Others: Borrows> Borrows for (Arc<First>, Others) {
    fn lent(inputs: &Inputs<'_>) -> Result<Self, Refusal> {
        Ok((inputs.borrow()?, Others::lent(inputs)?))
    }
}
