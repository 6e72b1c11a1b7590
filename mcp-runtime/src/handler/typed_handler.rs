use std::future::Future;
use std::marker::PhantomData;

use super::{Inputs, PreparedCall, StateParameters};
use crate::argument::{Arguments, Rejection};

/// The preparation of calls of handler functions with arguments `A` and borrowed state `B`.
///
/// The macro of a tool only generates the function `run`, which calls the tool's own function. All
/// tools with the same types share the other code, which is not inlined and is compiled only once.
///
/// The macro already causes a compile error at a parameter that is not `Send` or that cannot be
/// borrowed. For such a parameter, method resolution finds the functions of [`NotSendFallback`]
/// instead, and the compiler reports no further error.
#[derive(Debug)]
pub struct TypedHandler<A, B>(PhantomData<(A, B)>);

impl<A, B> TypedHandler<A, B> {
    /// The value of this type.
    pub const INPUTS: Self = Self(PhantomData);
}

impl<A: Arguments + Send, B: StateParameters> TypedHandler<A, B> {
    /// Prepares the call of a `fn` with the attribute `inline`.
    ///
    /// # Errors
    /// Returns the errors of [`Inputs::read`].
    #[inline(never)]
    pub fn inline<R: 'static, T: 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> R,
        convert: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        let (arguments, state) = inputs.read()?;
        Ok(PreparedCall::inline(move || convert(run(arguments, state))))
    }

    /// Prepares the call of a `fn` without the attribute `inline`.
    ///
    /// # Errors
    /// Returns the errors of [`Inputs::read`].
    #[inline(never)]
    pub fn blocking<R: 'static, T: 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> R,
        convert: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        let (arguments, state) = inputs.read()?;
        Ok(PreparedCall::blocking(move || {
            convert(run(arguments, state))
        }))
    }

    /// Prepares the call of an `async fn`. The future returned by `run` converts its own output,
    /// because wrapping it in another future would double its size.
    ///
    /// # Errors
    /// Returns the errors of [`Inputs::read`].
    pub fn future<F: Future + Send + 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> F,
    ) -> Result<PreparedCall<F::Output>, Rejection> {
        let (arguments, state) = inputs.read()?;
        Ok(PreparedCall::future(run(arguments, state)))
    }
}

/// The replacement for the functions of [`TypedHandler`] in a program that does not compile. With
/// it, the compiler only reports the error at the parameter.
pub trait NotSendFallback<A, B>: Sized {
    /// Replaces the function of the same name of [`TypedHandler`].
    fn inline<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        std::process::abort()
    }

    /// Replaces the function of the same name of [`TypedHandler`].
    fn blocking<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        std::process::abort()
    }

    /// Replaces the function of the same name of [`TypedHandler`].
    fn future<F: Future>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> F,
    ) -> Result<PreparedCall<F::Output>, Rejection> {
        std::process::abort()
    }
}

impl<A, B> NotSendFallback<A, B> for TypedHandler<A, B> {}
