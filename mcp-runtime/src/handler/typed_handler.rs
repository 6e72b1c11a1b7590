use std::future::Future;
use std::marker::PhantomData;

use super::{Inputs, PreparedCall, StateParameters};
use crate::argument::{Arguments, Rejection};

/// Prepares calls of functions with arguments `A` and borrowed state `B`.
///
/// A tool only adds the `run` function that calls its own function. The rest is shared
/// by all tools of the same types and not inlined, so that it is compiled once.
///
/// If an argument is not `Send`, or a type cannot be borrowed, method resolution skips
/// these functions and finds those of [`NotSendFallback`]: the parameter itself already
/// causes a compile error.
#[derive(Debug)]
pub struct TypedHandler<A, B>(PhantomData<(A, B)>);

impl<A, B> TypedHandler<A, B> {
    /// The handler of these types.
    pub const INPUTS: Self = Self(PhantomData);
}

impl<A: Arguments + Send, B: StateParameters> TypedHandler<A, B> {
    /// Prepares a `fn` with `inline`.
    ///
    /// # Errors
    /// Those of [`Inputs::read`].
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

    /// Prepares a plain `fn`.
    ///
    /// # Errors
    /// Those of [`Inputs::read`].
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

    /// Prepares an `async fn`. It converts its own output, because a future around
    /// another would double its size.
    ///
    /// # Errors
    /// Those of [`Inputs::read`].
    pub fn future<F: Future + Send + 'static>(
        self,
        inputs: &mut Inputs<'_>,
        run: fn(A, B) -> F,
    ) -> Result<PreparedCall<F::Output>, Rejection> {
        let (arguments, state) = inputs.read()?;
        Ok(PreparedCall::future(run(arguments, state)))
    }
}

/// Replaces the functions of [`TypedHandler`] in a program that does not compile, so that
/// the only error is the one at the parameter.
pub trait NotSendFallback<A, B>: Sized {
    /// See the function of the same name of [`TypedHandler`].
    fn inline<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        std::process::abort()
    }

    /// See the function of the same name of [`TypedHandler`].
    fn blocking<R, T>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> R,
        _: fn(R) -> T,
    ) -> Result<PreparedCall<T>, Rejection> {
        std::process::abort()
    }

    /// See the function of the same name of [`TypedHandler`].
    fn future<F: Future>(
        self,
        _: &mut Inputs<'_>,
        _: fn(A, B) -> F,
    ) -> Result<PreparedCall<F::Output>, Rejection> {
        std::process::abort()
    }
}

impl<A, B> NotSendFallback<A, B> for TypedHandler<A, B> {}
