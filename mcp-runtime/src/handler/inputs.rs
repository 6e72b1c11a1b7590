use std::sync::Arc;

use crate::argument::{Adjustment, ArgumentChanges, ArgumentSet, Arguments, Coercion, Rejection};
use crate::context::{Context, Injectable, RequestParts, State};
use crate::protocol::JsonObject;

/// The arguments of a call and the state of the server, from which generated code reads.
#[derive(Debug)]
pub struct Inputs<'a> {
    argument_set: &'a ArgumentSet,
    arguments: Option<&'a str>,
    /// All parameters of the request, for the error when `arguments` is missing.
    params: &'a str,
    state: &'a State,
    parts: &'a RequestParts<'a>,
    changes: ArgumentChanges,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(
        argument_set: &'a ArgumentSet,
        arguments: Option<&'a str>,
        params: &'a str,
        state: &'a State,
        parts: &'a RequestParts<'a>,
    ) -> Self {
        Self {
            argument_set,
            arguments,
            params,
            state,
            parts,
            changes: ArgumentChanges::default(),
        }
    }

    /// Reads the arguments, in the order of the definition, and the borrowed state.
    ///
    /// It is never inlined, so that all functions of the same types share its code.
    ///
    /// # Errors
    /// [`Rejection::Arguments`] with all violations.
    #[inline(never)]
    pub(super) fn read<A: Arguments, B: StateParameters>(&mut self) -> Result<(A, B), Rejection> {
        let mut slots = A::Slots::default();
        self.changes = self
            .argument_set
            .read(self.arguments, self.params, &mut slots)?;
        let arguments = A::from_slots(slots).ok_or(Rejection::EmptySlot)?;
        Ok((arguments, B::borrow_from(self)?))
    }

    /// Reads the arguments as an object, for a definition without a signature.
    pub(crate) fn read_object(&mut self) -> Result<JsonObject, Rejection> {
        let (arguments, changes) = self.argument_set.read_object(self.arguments, self.params)?;
        self.changes = changes;
        Ok(arguments)
    }

    /// The request being served.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.parts.context()
    }

    /// Returns the value that a parameter `&T` borrows.
    ///
    /// # Errors
    /// [`Rejection::State`] if the server has no such value; this is checked at start-up.
    pub(super) fn borrow<T: ?Sized + Injectable>(&self) -> Result<Arc<T>, Rejection> {
        let found = self.parts.provide().or_else(|| self.state.get());
        found.ok_or(Rejection::State(std::any::type_name::<T>()))
    }

    /// The changes made to the arguments to match their types.
    pub(crate) fn coercions(&self) -> &[Coercion] {
        &self.changes.coercions
    }

    /// Takes the values that were clamped to their range, which the result reports.
    pub(crate) fn take_adjustments(&mut self) -> Vec<Adjustment> {
        std::mem::take(&mut self.changes.adjustments)
    }
}

/// The state values that a function borrows: nested pairs of the first and the
/// others, ending in `()`.
pub trait StateParameters: Sized + Send + 'static {
    /// Borrows the values for one call.
    ///
    /// # Errors
    /// [`Rejection::State`] if the server lacks one of them; this is checked at start-up.
    fn borrow_from(inputs: &Inputs<'_>) -> Result<Self, Rejection>;
}

impl StateParameters for () {
    fn borrow_from(_: &Inputs<'_>) -> Result<(), Rejection> {
        Ok(())
    }
}

impl<First: ?Sized + Injectable, Others: StateParameters> StateParameters for (Arc<First>, Others) {
    fn borrow_from(inputs: &Inputs<'_>) -> Result<Self, Rejection> {
        Ok((inputs.borrow()?, Others::borrow_from(inputs)?))
    }
}
