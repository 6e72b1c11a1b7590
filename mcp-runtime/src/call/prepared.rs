use std::cell::OnceCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::{Caller, Service};
use crate::argument::{Coercion, Fill, Refusal};
use crate::context::{Context, Injected, as_context, is_context};
use crate::output::Outcome;
use crate::registry::RegisteredTool;

/// A call whose arguments are still to be read; generated code gets it.
#[derive(Debug)]
pub struct Call<'a> {
    service: &'a Service,
    caller: &'a Caller<'a>,
    tool: &'a RegisteredTool,
    arguments: Option<&'a RawValue>,
    params: &'a str,
    context: OnceCell<Arc<Context>>,
    coercions: Vec<Coercion>,
}

/// A body that has its arguments and was not started.
pub enum Prepared {
    /// Only computes; runs where it is.
    Inline(Box<dyn FnOnce() -> Outcome + Send>),
    /// May block its thread.
    Blocking(Box<dyn FnOnce() -> Outcome + Send>),
    /// To be awaited.
    Future(Pin<Box<dyn Future<Output = Outcome> + Send>>),
}

impl Prepared {
    /// The body of a `fn` with `inline`.
    pub fn inline(body: impl FnOnce() -> Outcome + Send + 'static) -> Self {
        Self::Inline(Box::new(body))
    }

    /// The body of a plain `fn`.
    pub fn blocking(body: impl FnOnce() -> Outcome + Send + 'static) -> Self {
        Self::Blocking(Box::new(body))
    }

    /// The body of an `async fn`.
    pub fn future(body: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self::Future(Box::pin(body))
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Inline(_) => "Inline",
            Self::Blocking(_) => "Blocking",
            Self::Future(_) => "Future",
        })
    }
}

impl<'a> Call<'a> {
    pub(super) fn new(
        service: &'a Service,
        caller: &'a Caller<'a>,
        tool: &'a RegisteredTool,
        arguments: Option<&'a RawValue>,
        params: &'a str,
    ) -> Self {
        Self {
            service,
            caller,
            tool,
            arguments,
            params,
            context: OnceCell::new(),
            coercions: Vec::new(),
        }
    }

    pub(super) fn tool(&self) -> &'a RegisteredTool {
        self.tool
    }

    /// Fills the slots, one a parameter, in the order of the descriptor.
    ///
    /// # Errors
    /// [`Refusal::Arguments`] with everything that is wrong with them.
    pub fn read(&mut self, slots: &mut [&mut dyn Fill]) -> Result<(), Refusal> {
        let json = self.arguments.map(RawValue::get);
        super::validate::read(self.tool, json, self.params, slots, &mut self.coercions)
    }

    /// What a parameter `&T` borrows.
    ///
    /// # Errors
    /// [`Refusal::State`] if there is none; the start has checked that there is.
    pub fn borrow<T: ?Sized + Injected>(&self) -> Result<Arc<T>, Refusal> {
        let found = if is_context::<T>() {
            let context = self
                .context
                .get_or_init(|| Arc::new(self.caller.to_context()));
            as_context(context)
        } else {
            self.service.state.get()
        };
        found.ok_or(Refusal::State(std::any::type_name::<T>()))
    }

    /// What was changed in the arguments to make them fit.
    pub(super) fn coercions(&self) -> &[Coercion] {
        &self.coercions
    }
}
