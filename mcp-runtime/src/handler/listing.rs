use std::fmt;

use crate::context::{Injected, State};
use crate::protocol::Resource;

/// What a function that lists resources can borrow from.
pub struct Lender<'a>(pub(crate) &'a State);

impl fmt::Debug for Lender<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Lender")
    }
}

/// Calls a function that lists, in whichever of the forms it is written.
pub fn lister<Form>(lender: &Lender<'_>, function: impl Lister<Form>) -> Vec<Resource> {
    function.list(lender)
}

/// A function that lists the resources of a family.
#[diagnostic::on_unimplemented(
    message = "this function cannot list resources",
    label = "not of the form `fn() -> Vec<Resource>`",
    note = "it takes nothing, or one `&T` from the server, and returns a `Vec<Resource>`"
)]
pub trait Lister<Form> {
    /// The resources that exist.
    fn list(self, lender: &Lender<'_>) -> Vec<Resource>;
}

/// The function takes nothing.
#[derive(Debug)]
pub struct OfNothing;

impl<F: Fn() -> Vec<Resource>> Lister<OfNothing> for F {
    fn list(self, _: &Lender<'_>) -> Vec<Resource> {
        self()
    }
}

/// The function borrows an `A`.
pub struct OfState<A: ?Sized>(std::marker::PhantomData<fn(&A)>);

impl<A: ?Sized> fmt::Debug for OfState<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OfState")
    }
}

impl<F: Fn(&A) -> Vec<Resource>, A: ?Sized + Injected> Lister<OfState<A>> for F {
    fn list(self, lender: &Lender<'_>) -> Vec<Resource> {
        let Some(lent) = lender.0.get::<A>() else {
            let type_name = std::any::type_name::<A>();
            tracing::warn!("a list of resources needs a `&{type_name}`, and the server has none");
            return Vec::new();
        };
        self(&lent)
    }
}
