use std::future::Future;
use std::marker::PhantomData;

use super::{Body, Borrows, Inputs};
use crate::argument::{Arguments, Refusal};

/// Readies a function with arguments `A` that borrows `B`.
///
/// What a tool adds is the `run` that calls its function; all else is shared by
/// the tools of the same types, and not inlined, so that it is compiled once.
///
/// Where an argument is not `Send`, or what is borrowed cannot be, method
/// resolution passes over these functions and finds those of [`Stranded`]: its
/// parameter has told that already.
#[derive(Debug)]
pub struct Carrying<A, B>(PhantomData<(A, B)>);

impl<A, B> Carrying<A, B> {
    /// Of these types.
    pub const INPUTS: Self = Self(PhantomData);
}

impl<A: Arguments + Send, B: Borrows> Carrying<A, B> {
    /// The body of a `fn` with `inline`.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    #[inline(never)]
    pub fn inline<R: 'static, T: 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> R,
        convert: fn(R) -> T,
    ) -> Result<Body<T>, Refusal> {
        let (arguments, borrows) = inputs.read()?;
        Ok(Body::inline(move || convert(run(arguments, borrows))))
    }

    /// The body of a plain `fn`.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    #[inline(never)]
    pub fn blocking<R: 'static, T: 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> R,
        convert: fn(R) -> T,
    ) -> Result<Body<T>, Refusal> {
        let (arguments, borrows) = inputs.read()?;
        Ok(Body::blocking(move || convert(run(arguments, borrows))))
    }

    /// The body of an `async fn`, which converts what it comes to itself: a
    /// future around another would be twice its size.
    ///
    /// # Errors
    /// As [`Inputs::read`].
    pub fn future<F: Future + Send + 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> F,
    ) -> Result<Body<F::Output>, Refusal> {
        let (arguments, borrows) = inputs.read()?;
        Ok(Body::future(run(arguments, borrows)))
    }
}

/// Stands in for [`Carrying`] in a program that does not compile, to add no error
/// to the one of the parameter.
pub trait Stranded<A, B>: Sized {
    /// As its namesake.
    fn inline<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<Body<T>, Refusal> {
        std::process::abort()
    }

    /// As its namesake.
    fn blocking<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<Body<T>, Refusal> {
        std::process::abort()
    }

    /// As its namesake.
    fn future<F: Future>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> F,
    ) -> Result<Body<F::Output>, Refusal> {
        std::process::abort()
    }
}

impl<A, B> Stranded<A, B> for Carrying<A, B> {}
