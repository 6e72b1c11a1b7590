use std::future::Future;
use std::marker::PhantomData;

use super::Body;

/// Makes the body of a function with arguments of the types `A`.
///
/// Where one of them is not `Send`, method resolution passes over these functions
/// and finds those of [`Stranded`]: its parameter has told that already.
#[derive(Debug)]
pub struct Carrying<A>(PhantomData<A>);

impl<A> Carrying<A> {
    /// Of these types.
    pub const ARGUMENTS: Self = Self(PhantomData);
}

impl<A: Send> Carrying<A> {
    /// The body of a `fn` with `inline`.
    pub fn inline<T>(self, body: impl FnOnce() -> T + Send + 'static) -> Body<T> {
        Body::inline(body)
    }

    /// The body of a plain `fn`.
    pub fn blocking<T>(self, body: impl FnOnce() -> T + Send + 'static) -> Body<T> {
        Body::blocking(body)
    }

    /// The body of an `async fn`.
    pub fn future<T>(self, body: impl Future<Output = T> + Send + 'static) -> Body<T> {
        Body::future(body)
    }
}

/// Stands in for [`Carrying`] in a program that does not compile, to add no error
/// to the one of the parameter.
pub trait Stranded: Sized {
    /// As its namesake.
    fn inline<T>(self, _: impl FnOnce() -> T) -> Body<T> {
        std::process::abort()
    }

    /// As its namesake.
    fn blocking<T>(self, _: impl FnOnce() -> T) -> Body<T> {
        std::process::abort()
    }

    /// As its namesake.
    fn future<T>(self, _: impl Future<Output = T>) -> Body<T> {
        std::process::abort()
    }
}

impl<A> Stranded for Carrying<A> {}
