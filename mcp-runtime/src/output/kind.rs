use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Outcome, ToolOutput, values};
use crate::error::ToolError;

/// A type to ask questions of by method resolution, without a value.
///
/// Each question is a method of two traits: one for `Probe<T>` under a bound,
/// one for `&Probe<T>` without. Resolution takes the first that applies.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

/// Asks about `T`.
#[must_use]
pub const fn probe<T>() -> Probe<T> {
    Probe(PhantomData)
}

/// How a returned type is converted, as plain functions.
pub struct Output<R> {
    /// From the function's value to the call's outcome.
    pub convert: fn(R) -> Outcome,
    /// The schema of its structured content.
    pub schema: fn() -> Option<Value>,
}

impl<R> fmt::Debug for Output<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").finish_non_exhaustive()
    }
}

/// Joins the answers about a returned type `R`.
#[must_use]
pub fn tool_result<R, S, V, F>(_: S, _: V, _: F) -> Output<R>
where
    S: Branch<R>,
    S::Value: Returned<V>,
    S::Error: Failure<F>,
{
    Output {
        convert: |returned| match S::branch(returned) {
            Ok(value) => value.convert(),
            Err(error) => Err(error.into_tool_error()),
        },
        schema: <S::Value as Returned<V>>::schema,
    }
}

/// Splits a returned value into success and failure.
pub trait Branch<R> {
    /// What a success holds.
    type Value;
    /// What a failure holds.
    type Error;
    /// Splits it.
    fn branch(returned: R) -> Result<Self::Value, Self::Error>;
}

/// The returned type is a `Result`.
#[derive(Debug)]
pub struct Fallible<T, E>(PhantomData<fn() -> (T, E)>);

/// The returned type is not a `Result`.
#[derive(Debug)]
pub struct Plain<R>(PhantomData<fn() -> R>);

impl<T, E> Branch<Result<T, E>> for Fallible<T, E> {
    type Value = T;
    type Error = E;
    fn branch(returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

impl<R> Branch<R> for Plain<R> {
    type Value = R;
    type Error = Infallible;
    fn branch(returned: R) -> Result<R, Infallible> {
        Ok(returned)
    }
}

impl<T, E> Fallible<T, E> {
    /// Asks about the success type.
    #[must_use]
    pub const fn value(&self) -> Probe<T> {
        probe()
    }
    /// Asks about the error type.
    #[must_use]
    pub const fn error(&self) -> Probe<E> {
        probe()
    }
}

impl<R> Plain<R> {
    /// Asks about the returned type.
    #[must_use]
    pub const fn value(&self) -> Probe<R> {
        probe()
    }
    /// Asks about no error.
    #[must_use]
    pub const fn error(&self) -> Probe<Infallible> {
        probe()
    }
}

/// First answer to "is it a `Result`?".
pub trait SplitFallible<T, E> {
    /// Yes.
    fn split(&self) -> Fallible<T, E> {
        Fallible(PhantomData)
    }
}
impl<T, E> SplitFallible<T, E> for Probe<Result<T, E>> {}

/// Second answer to "is it a `Result`?".
pub trait SplitPlain<R> {
    /// No.
    fn split(&self) -> Plain<R> {
        Plain(PhantomData)
    }
}
impl<R> SplitPlain<R> for &Probe<R> {}

/// The type implements [`ToolOutput`].
#[derive(Debug)]
pub struct Direct;
/// The type is serialized.
#[derive(Debug)]
pub struct Structured;

/// First answer to "who converts it?".
pub trait DirectKind {
    /// The type itself.
    fn value_kind(&self) -> Direct {
        Direct
    }
}
impl<T: ToolOutput> DirectKind for Probe<T> {}

/// Second answer to "who converts it?".
pub trait StructuredKind {
    /// Serde and schemars.
    fn value_kind(&self) -> Structured {
        Structured
    }
}
impl<T> StructuredKind for &Probe<T> {}

/// A type that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "no `ToolOutput`, and not both serializable and with a JSON Schema",
    note = "a tool returns text, `()`, content blocks, a `CallToolResult`, or a value that implements `serde::Serialize` and `schemars::JsonSchema`, or a `Result` of one of these",
    note = "for your own type, put `#[json]` on it"
)]
pub trait Returned<Kind> {
    /// The outcome of a call that returned it.
    fn convert(self) -> Outcome;
    /// The schema of its structured content.
    fn schema() -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolOutput> Returned<Direct> for T {
    fn convert(self) -> Outcome {
        self.into_result()
    }
    fn schema() -> Option<Value> {
        T::schema()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Returned<Structured> for T {
    fn convert(self) -> Outcome {
        values::structured(&self)
    }
    fn schema() -> Option<Value> {
        Some(values::schema_of::<T>())
    }
}

/// The error is a [`ToolError`].
#[derive(Debug)]
pub struct OwnError;
/// The error is a [`std::error::Error`], with a chain of causes.
#[derive(Debug)]
pub struct Traced;
/// The error can be printed.
#[derive(Debug)]
pub struct Displayed;

/// First answer to "what does the error tell?".
pub trait OwnErrorKind {
    /// What its author chose.
    fn error_kind(&self) -> OwnError {
        OwnError
    }
}
impl OwnErrorKind for &&Probe<ToolError> {}

/// Second answer to "what does the error tell?".
pub trait TracedKind {
    /// Its text and its causes.
    fn error_kind(&self) -> Traced {
        Traced
    }
}
impl<E: StdError> TracedKind for &Probe<E> {}

/// Third answer to "what does the error tell?".
pub trait DisplayedKind {
    /// Its text.
    fn error_kind(&self) -> Displayed {
        Displayed
    }
}
impl<E> DisplayedKind for Probe<E> {}

/// A type that a tool can fail with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "cannot be shown to the model",
    note = "the error of a tool implements `std::fmt::Display`; the model reads its text"
)]
pub trait Failure<Kind> {
    /// What the model and the operator are told.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl Failure<OwnError> for ToolError {
    fn into_tool_error(self) -> ToolError {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<E: StdError> Failure<Traced> for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<E: fmt::Display> Failure<Displayed> for E {
    fn into_tool_error(self) -> ToolError {
        ToolError::displayed(&self)
    }
}
