use std::sync::Arc;

use super::Borrows;
use crate::argument::{Adjustment, Arguments, Coercion, Declared, Read, Refusal};
use crate::context::{Context, Injected, RequestScope, State};
use crate::protocol::JsonObject;

/// What a call brings and what the server lends; generated code reads from it.
#[derive(Debug)]
pub struct Inputs<'a> {
    declared: &'a Declared,
    arguments: Option<&'a str>,
    /// All that the request says, should `arguments` be missing.
    params: &'a str,
    state: &'a State,
    scope: &'a RequestScope<'a>,
    done: Read,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(
        declared: &'a Declared,
        arguments: Option<&'a str>,
        params: &'a str,
        state: &'a State,
        scope: &'a RequestScope<'a>,
    ) -> Self {
        let done = Read::default();
        Self {
            declared,
            arguments,
            params,
            state,
            scope,
            done,
        }
    }

    /// The arguments, in the order of the definition, and what is borrowed.
    ///
    /// It is never inlined, so that all functions of the same types share it.
    ///
    /// # Errors
    /// [`Refusal::Arguments`] with everything that is wrong with them.
    #[inline(never)]
    pub(super) fn read<A: Arguments, B: Borrows>(&mut self) -> Result<(A, B), Refusal> {
        let mut slots = A::Slots::default();
        self.done = self
            .declared
            .read(self.arguments, self.params, &mut slots)?;
        let arguments = A::taken(slots).ok_or(Refusal::Unfilled)?;
        Ok((arguments, B::lent(self)?))
    }

    /// The arguments as they are, for a definition without a signature.
    pub(crate) fn read_object(&mut self) -> Result<JsonObject, Refusal> {
        let (arguments, done) = self.declared.read_object(self.arguments, self.params)?;
        self.done = done;
        Ok(arguments)
    }

    /// The request that is served.
    pub(crate) fn context(&self) -> &Arc<Context> {
        self.scope.context()
    }

    /// What a parameter `&T` borrows.
    ///
    /// # Errors
    /// [`Refusal::State`] if there is none; the start has checked that there is.
    pub(super) fn borrow<T: ?Sized + Injected>(&self) -> Result<Arc<T>, Refusal> {
        let found = self.scope.lends().or_else(|| self.state.get());
        found.ok_or(Refusal::State(std::any::type_name::<T>()))
    }

    /// What was changed in the arguments to make them fit.
    pub(crate) fn coercions(&self) -> &[Coercion] {
        &self.done.coercions
    }

    /// What was moved into a range, which the result tells.
    pub(crate) fn take_adjustments(&mut self) -> Vec<Adjustment> {
        std::mem::take(&mut self.done.adjustments)
    }
}
