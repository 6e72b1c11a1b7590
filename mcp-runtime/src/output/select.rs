//! Selects how a returned type is converted, with autoref-based specialization.
//!
//! Each choice is a method of two traits: the preferred one is implemented for
//! `TypeTag<T>` under a bound, the fallback for `&TypeTag<T>` without a bound. Generated
//! code calls the method on a reference to a [`TypeTag`], and method resolution takes the
//! first implementation that applies. (Errors have three traits, of which the preferred
//! one is implemented for `&&TypeTag<ToolError>`.) The method returns a marker type,
//! which selects the implementation of [`ReturnValue`] or [`ReturnError`].

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ToolOutcome, ToolOutput, values};
use crate::error::ToolError;

/// A tag that stands for the type `T`, without a value of it.
#[derive(Debug)]
pub struct TypeTag<T>(PhantomData<fn() -> T>);

/// The tag of `T`.
#[must_use]
pub const fn type_tag<T>() -> TypeTag<T> {
    TypeTag(PhantomData)
}

/// How a returned type is converted to a tool result.
pub struct OutputConverter<R> {
    /// Converts the returned value.
    pub convert: fn(R) -> ToolOutcome,
    /// The schema of the structured content, if there is any.
    pub schema: fn() -> Option<Value>,
}

impl<R> fmt::Debug for OutputConverter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OutputConverter")
            .finish_non_exhaustive()
    }
}

/// The converter of a returned type `R`, from the marker types that were selected for it.
#[must_use]
pub fn tool_result<R, S, V, F>(_: S, _: V, _: F) -> OutputConverter<R>
where
    S: ResultSplit<R>,
    S::Value: ReturnValue<V>,
    S::Error: ReturnError<F>,
{
    OutputConverter {
        convert: |returned| match S::split(returned) {
            Ok(value) => value.convert(),
            Err(error) => Err(error.into_tool_error()),
        },
        schema: <S::Value as ReturnValue<V>>::schema,
    }
}

/// Splits a returned value into its success and its error.
pub trait ResultSplit<R> {
    /// The type of the success.
    type Value;
    /// The type of the error.
    type Error;
    /// Splits the value.
    fn split(returned: R) -> Result<Self::Value, Self::Error>;
}

/// The returned type is a `Result`.
#[derive(Debug)]
pub struct ResultReturn<T, E>(PhantomData<fn() -> (T, E)>);

/// The returned type is not a `Result`.
#[derive(Debug)]
pub struct ValueReturn<R>(PhantomData<fn() -> R>);

impl<T, E> ResultSplit<Result<T, E>> for ResultReturn<T, E> {
    type Value = T;
    type Error = E;
    fn split(returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

impl<R> ResultSplit<R> for ValueReturn<R> {
    type Value = R;
    type Error = Infallible;
    fn split(returned: R) -> Result<R, Infallible> {
        Ok(returned)
    }
}

impl<T, E> ResultReturn<T, E> {
    /// The tag of the success type.
    #[must_use]
    pub const fn value(&self) -> TypeTag<T> {
        type_tag()
    }
    /// The tag of the error type.
    #[must_use]
    pub const fn error(&self) -> TypeTag<E> {
        type_tag()
    }
}

impl<R> ValueReturn<R> {
    /// The tag of the returned type.
    #[must_use]
    pub const fn value(&self) -> TypeTag<R> {
        type_tag()
    }
    /// The tag of the error type, which has no values.
    #[must_use]
    pub const fn error(&self) -> TypeTag<Infallible> {
        type_tag()
    }
}

/// Selected if the returned type is a `Result`.
pub trait ResultKind<T, E> {
    /// The marker.
    fn return_kind(&self) -> ResultReturn<T, E> {
        ResultReturn(PhantomData)
    }
}
impl<T, E> ResultKind<T, E> for TypeTag<Result<T, E>> {}

/// Selected for every other returned type.
pub trait ValueKind<R> {
    /// The marker.
    fn return_kind(&self) -> ValueReturn<R> {
        ValueReturn(PhantomData)
    }
}
impl<R> ValueKind<R> for &TypeTag<R> {}

/// The value is converted by its [`ToolOutput`].
#[derive(Debug)]
pub struct ToolOutputConversion;
/// The value is serialized as structured content.
#[derive(Debug)]
pub struct SerializeConversion;

/// Selected if the type implements [`ToolOutput`].
pub trait ToolOutputKind {
    /// The marker.
    fn output_kind(&self) -> ToolOutputConversion {
        ToolOutputConversion
    }
}
impl<T: ToolOutput> ToolOutputKind for TypeTag<T> {}

/// Selected for every other type.
pub trait SerializeKind {
    /// The marker.
    fn output_kind(&self) -> SerializeConversion {
        SerializeConversion
    }
}
impl<T> SerializeKind for &TypeTag<T> {}

/// A type that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "neither `ToolOutput`, nor `Serialize` and `JsonSchema`",
    note = "a tool returns a string, `()`, content blocks, a `CallToolResult`, a value that implements `serde::Serialize` and `schemars::JsonSchema`, or a `Result` of one of these",
    note = "for your own type, put `#[json]` on it"
)]
pub trait ReturnValue<Kind> {
    /// Converts the value to the result of the call.
    fn convert(self) -> ToolOutcome;
    /// The schema of the structured content, if there is any.
    fn schema() -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolOutput> ReturnValue<ToolOutputConversion> for T {
    fn convert(self) -> ToolOutcome {
        self.into_result()
    }
    fn schema() -> Option<Value> {
        T::schema()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> ReturnValue<SerializeConversion> for T {
    fn convert(self) -> ToolOutcome {
        values::structured(&self)
    }
    fn schema() -> Option<Value> {
        Some(values::schema_of::<T>())
    }
}

/// The error is a [`ToolError`] already.
#[derive(Debug)]
pub struct ToolErrorConversion;
/// The error is a [`std::error::Error`]; its sources are kept.
#[derive(Debug)]
pub struct StdErrorConversion;
/// The error implements `Display`.
#[derive(Debug)]
pub struct DisplayConversion;

/// Selected for a [`ToolError`].
pub trait ToolErrorKind {
    /// The marker.
    fn error_kind(&self) -> ToolErrorConversion {
        ToolErrorConversion
    }
}
impl ToolErrorKind for &&TypeTag<ToolError> {}

/// Selected if the type implements [`std::error::Error`].
pub trait StdErrorKind {
    /// The marker.
    fn error_kind(&self) -> StdErrorConversion {
        StdErrorConversion
    }
}
impl<E: StdError> StdErrorKind for &TypeTag<E> {}

/// Selected for every other error type.
pub trait DisplayKind {
    /// The marker.
    fn error_kind(&self) -> DisplayConversion {
        DisplayConversion
    }
}
impl<E> DisplayKind for TypeTag<E> {}

/// An error type that a handler can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "cannot be shown to the model",
    note = "the error of a tool implements `std::fmt::Display`; the model reads its text"
)]
pub trait ReturnError<Kind> {
    /// Converts the error to the texts for the model and the operator.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl ReturnError<ToolErrorConversion> for ToolError {
    fn into_tool_error(self) -> ToolError {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<E: StdError> ReturnError<StdErrorConversion> for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<E: fmt::Display> ReturnError<DisplayConversion> for E {
    fn into_tool_error(self) -> ToolError {
        ToolError::from_display(&self)
    }
}
