//! Selects the conversion of a handler's return type by autoref-based specialization.
//!
//! Each choice between two conversions uses two traits with the same method. The preferred trait is
//! implemented for `TypeTag<T>` with a trait bound on `T`. The fallback trait is implemented for
//! `&TypeTag<T>` without a bound. Generated code calls the method on a reference to a [`TypeTag`],
//! and Rust's method resolution uses the first implementation that matches. (The conversion of
//! errors uses three traits. The most preferred trait is implemented for `&&TypeTag<ToolError>`.)
//! The method returns a marker type, which selects an implementation of [`ReturnValue`] or
//! [`ReturnError`].

use std::convert::Infallible;
use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ToolOutcome, ToolOutput, values};
use crate::error::ToolError;

/// A tag for the type `T` that contains no value of `T`.
#[derive(Debug)]
pub struct TypeTag<T>(PhantomData<fn() -> T>);

/// Returns the tag of `T`.
#[must_use]
pub const fn type_tag<T>() -> TypeTag<T> {
    TypeTag(PhantomData)
}

/// The functions that convert a return value of type `R` to a tool result.
pub struct OutputConverter<R> {
    /// The function that converts the return value.
    pub convert: fn(R) -> ToolOutcome,
    /// Returns the schema of the structured content, or `None` if there is no schema.
    pub schema: fn() -> Option<Value>,
}

impl<R> fmt::Debug for OutputConverter<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OutputConverter")
            .finish_non_exhaustive()
    }
}

/// Returns the converter of the return type `R`. The arguments are the marker types that were
/// selected for `R`, its success type and its error type.
#[must_use]
pub fn tool_result<R, S, V, F>(_: S, _: V, _: F) -> OutputConverter<R>
where
    S: ResultOrValue<R>,
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

/// A marker type that converts a return value of type `R` to a `Result`.
pub trait ResultOrValue<R> {
    /// The success type.
    type Value;
    /// The error type.
    type Error;
    /// Converts the return value to a `Result`.
    fn split(returned: R) -> Result<Self::Value, Self::Error>;
}

/// The marker of a return type that is a `Result`.
#[derive(Debug)]
pub struct ResultReturn<T, E>(PhantomData<fn() -> (T, E)>);

/// The marker of a return type that is not a `Result`.
#[derive(Debug)]
pub struct ValueReturn<R>(PhantomData<fn() -> R>);

impl<T, E> ResultOrValue<Result<T, E>> for ResultReturn<T, E> {
    type Value = T;
    type Error = E;
    fn split(returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

impl<R> ResultOrValue<R> for ValueReturn<R> {
    type Value = R;
    type Error = Infallible;
    fn split(returned: R) -> Result<R, Infallible> {
        Ok(returned)
    }
}

impl<T, E> ResultReturn<T, E> {
    /// Returns the tag of the success type.
    #[must_use]
    pub const fn value(&self) -> TypeTag<T> {
        type_tag()
    }
    /// Returns the tag of the error type.
    #[must_use]
    pub const fn error(&self) -> TypeTag<E> {
        type_tag()
    }
}

impl<R> ValueReturn<R> {
    /// Returns the tag of the return type.
    #[must_use]
    pub const fn value(&self) -> TypeTag<R> {
        type_tag()
    }
    /// Returns the tag of [`Infallible`], because the handler cannot return an error.
    #[must_use]
    pub const fn error(&self) -> TypeTag<Infallible> {
        type_tag()
    }
}

/// The trait that is selected if the return type is a `Result`.
pub trait ResultKind<T, E> {
    /// Returns the marker type.
    fn return_kind(&self) -> ResultReturn<T, E> {
        ResultReturn(PhantomData)
    }
}
impl<T, E> ResultKind<T, E> for TypeTag<Result<T, E>> {}

/// The trait that is selected if the return type is not a `Result`.
pub trait ValueKind<R> {
    /// Returns the marker type.
    fn return_kind(&self) -> ValueReturn<R> {
        ValueReturn(PhantomData)
    }
}
impl<R> ValueKind<R> for &TypeTag<R> {}

/// The marker of a type that is converted by its [`ToolOutput`] implementation.
#[derive(Debug)]
pub struct ToolOutputConversion;
/// The marker of a type that is serialized as structured content.
#[derive(Debug)]
pub struct SerializeConversion;

/// The trait that is selected if the type implements [`ToolOutput`].
pub trait ToolOutputKind {
    /// Returns the marker type.
    fn output_kind(&self) -> ToolOutputConversion {
        ToolOutputConversion
    }
}
impl<T: ToolOutput> ToolOutputKind for TypeTag<T> {}

/// The trait that is selected if the type does not implement [`ToolOutput`].
pub trait SerializeKind {
    /// Returns the marker type.
    fn output_kind(&self) -> SerializeConversion {
        SerializeConversion
    }
}
impl<T> SerializeKind for &TypeTag<T> {}

/// A type that a tool handler can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "neither `ToolOutput`, nor `Serialize` and `JsonSchema`",
    note = "a tool returns a string, `()`, content blocks, a `CallToolResult`, a value that implements `serde::Serialize` and `schemars::JsonSchema`, or a `Result` of one of these",
    note = "for your own type, put `#[json]` on it"
)]
pub trait ReturnValue<Kind> {
    /// Converts the value to the result of the tool call.
    fn convert(self) -> ToolOutcome;
    /// Returns the schema of the structured content, or `None` if there is no schema.
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

/// The marker of the error type [`ToolError`], which needs no conversion.
#[derive(Debug)]
pub struct ToolErrorConversion;
/// The marker of an error type that implements [`std::error::Error`]. The conversion keeps the
/// sources of the error.
#[derive(Debug)]
pub struct StdErrorConversion;
/// The marker of an error type that implements only `Display`.
#[derive(Debug)]
pub struct DisplayConversion;

/// The trait that is selected if the error type is [`ToolError`].
pub trait ToolErrorKind {
    /// Returns the marker type.
    fn error_kind(&self) -> ToolErrorConversion {
        ToolErrorConversion
    }
}
impl ToolErrorKind for &&TypeTag<ToolError> {}

/// The trait that is selected if the error type implements [`std::error::Error`].
pub trait StdErrorKind {
    /// Returns the marker type.
    fn error_kind(&self) -> StdErrorConversion {
        StdErrorConversion
    }
}
impl<E: StdError> StdErrorKind for &TypeTag<E> {}

/// The trait that is selected for all other error types.
pub trait DisplayKind {
    /// Returns the marker type.
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
    /// Converts the error to a [`ToolError`], which has a text for the model and a text for the
    /// log.
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
