use std::fmt;

use crate::context::{Injectable, State};
use crate::protocol::Resource;

/// The state that a resource listing function can borrow.
pub struct StateProvider<'a>(pub(crate) &'a State);

impl fmt::Debug for StateProvider<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StateProvider")
    }
}

/// Calls a resource listing function, which has no parameter or one state parameter.
pub fn list_resources<Form>(
    provider: &StateProvider<'_>,
    function: impl ResourceLister<Form>,
) -> Vec<Resource> {
    function.list(provider)
}

/// A function that lists the resources of a resource template.
#[diagnostic::on_unimplemented(
    message = "this function cannot list resources",
    label = "not of the form `fn() -> Vec<Resource>`",
    note = "it has no parameters, or one `&T` from the server, and returns a `Vec<Resource>`"
)]
pub trait ResourceLister<Form> {
    /// Returns the existing resources.
    fn list(self, provider: &StateProvider<'_>) -> Vec<Resource>;
}

/// The signature of a resource listing function without parameters.
#[derive(Debug)]
pub struct StatelessForm;

impl<F: Fn() -> Vec<Resource>> ResourceLister<StatelessForm> for F {
    fn list(self, _: &StateProvider<'_>) -> Vec<Resource> {
        self()
    }
}

/// The signature of a resource listing function that borrows a state value of type `A`.
pub struct StatefulForm<A: ?Sized>(std::marker::PhantomData<fn(&A)>);

impl<A: ?Sized> fmt::Debug for StatefulForm<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StatefulForm")
    }
}

impl<F: Fn(&A) -> Vec<Resource>, A: ?Sized + Injectable> ResourceLister<StatefulForm<A>> for F {
    fn list(self, provider: &StateProvider<'_>) -> Vec<Resource> {
        let Some(state) = provider.0.get::<A>() else {
            let type_name = std::any::type_name::<A>();
            tracing::warn!(
                "resources cannot be listed: the server has no state of type `{type_name}`"
            );
            return Vec::new();
        };
        self(&state)
    }
}
