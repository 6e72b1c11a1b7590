use std::sync::Arc;

use crate::argument::{Adjustment, ArgumentChanges, ArgumentSet, Arguments, Coercion, Rejection};
use crate::context::{Context, Injectable, RequestParts, State};
use crate::protocol::JsonObject;

/// The inputs of a handler: the arguments of the call and the state of the server. The generated
/// code of a macro reads its parameters from them.
#[derive(Debug)]
pub struct Inputs<'a> {
    argument_set: &'a ArgumentSet,
    arguments: Option<&'a str>,
    /// All parameters of the request. The error about missing `arguments` uses them.
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

    /// Reads the arguments in the order of the definition, and borrows the state.
    ///
    /// This function is never inlined, because all handlers with the same parameter types share its
    /// compiled code.
    ///
    /// # Errors
    /// Returns [`Rejection::Arguments`] with all violations if the arguments are invalid.
    #[inline(never)]
    pub(super) fn read<A: Arguments, B: StateParameters>(&mut self) -> Result<(A, B), Rejection> {
        let mut slots = A::Slots::default();
        self.changes = self
            .argument_set
            .read(self.arguments, self.params, &mut slots)?;
        let arguments = A::from_slots(slots).ok_or(Rejection::EmptySlot)?;
        Ok((arguments, B::borrow_from(self)?))
    }

    /// Reads the arguments as an object, for a definition whose handler has no typed parameters.
    pub(crate) fn read_object(&mut self) -> Result<JsonObject, Rejection> {
        let (arguments, changes) = self.argument_set.read_object(self.arguments, self.params)?;
        self.changes = changes;
        Ok(arguments)
    }

    /// Returns the context of the request.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.parts.context()
    }

    /// Returns the value that a parameter of type `&T` borrows.
    ///
    /// # Errors
    /// Returns [`Rejection::State`] if the server has no value of type `T`. The server already
    /// checks this when it starts.
    pub(super) fn borrow<T: ?Sized + Injectable>(&self) -> Result<Arc<T>, Rejection> {
        let found = self.parts.provide().or_else(|| self.state.get());
        found.ok_or(Rejection::State(std::any::type_name::<T>()))
    }

    /// Returns the changes that converted arguments to their parameter types.
    pub(crate) fn coercions(&self) -> &[Coercion] {
        &self.changes.coercions
    }

    /// Removes and returns the list of arguments that were clamped to their range.
    pub(crate) fn take_adjustments(&mut self) -> Vec<Adjustment> {
        std::mem::take(&mut self.changes.adjustments)
    }
}

/// The state values that a handler function borrows, as nested pairs.
///
/// A pair holds the first value and a pair with the other values. The innermost element is `()`.
pub trait StateParameters: Sized + Send + 'static {
    /// Borrows the state values for one call.
    ///
    /// # Errors
    /// Returns [`Rejection::State`] if the server lacks one of the values. The server already
    /// checks this when it starts.
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
