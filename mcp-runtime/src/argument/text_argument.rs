//! Arguments that are strings in the protocol: those of prompts and resource URIs.
//!
//! A type that implements the traits of serde and schemars is read as a tool argument,
//! so that enums keep their names and numbers their limits. Any other type is parsed by
//! its `FromStr`. Generated code selects between the two with the associated constants
//! of [`ArgumentProbe`]: an inherent constant, which exists only under a bound, takes
//! precedence over the constant of a trait.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Serialize;
use serde::de::Error as _;
use serde_json::{Error, Value, json};

use super::{Parameter, ToolArgument, slot, to_json_value, tool_argument};

/// Stands for a type whose properties generated code reads in constants.
#[derive(Debug)]
pub struct ArgumentProbe<T>(PhantomData<fn() -> T>);

/// The type is read by serde.
#[derive(Clone, Copy, Debug)]
pub struct SerdeReader;
/// The type is parsed by its `FromStr`.
#[derive(Clone, Copy, Debug)]
pub struct FromStrReader;

impl<T: ToolArgument> ArgumentProbe<T> {
    /// Selected if serde can read the type.
    pub const READER: SerdeReader = SerdeReader;
}

/// The fallback if serde cannot read the type.
pub trait FromStrFallback {
    /// Selected if the type is not a [`ToolArgument`].
    const READER: FromStrReader = FromStrReader;
}
impl<T> FromStrFallback for ArgumentProbe<T> {}

/// The type is an `Option`, so the argument may be absent.
#[derive(Clone, Copy, Debug)]
pub struct OptionalArgument;
/// The argument is required.
#[derive(Clone, Copy, Debug)]
pub struct RequiredArgument;

impl<T> ArgumentProbe<Option<T>> {
    /// Selected for an `Option`.
    pub const PRESENCE: OptionalArgument = OptionalArgument;
}

/// The fallback for types that are not an `Option`.
pub trait RequiredFallback {
    /// Selected for any other type.
    const PRESENCE: RequiredArgument = RequiredArgument;
}
impl<T> RequiredFallback for ArgumentProbe<T> {}

impl<T: Serialize> ArgumentProbe<T> {
    /// Selected if the type serializes.
    pub const TO_JSON: fn(T) -> Value = to_json_value::<T>;
}

/// The fallback for the default of a type that does not serialize.
pub trait NullFallback<T> {
    /// Returns `null`, so that the schema has no default.
    const TO_JSON: fn(T) -> Value = |_| Value::Null;
}
impl<T> NullFallback<T> for ArgumentProbe<T> {}

/// A type that a prompt or a resource can take from its caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a prompt or a resource",
    label = "cannot be parsed from a string, or is not `Send`",
    note = "the argument is a string in the protocol, so its type is `Send` and implements either `std::str::FromStr`, with an error that implements `Display`, or `serde::Deserialize` and `schemars::JsonSchema`",
    note = "for your own type, put `#[json]` on it"
)]
pub trait TextArgument<Reader, Presence>: Sized + Send + 'static {
    /// The parameter without its name and description.
    const UNNAMED: Parameter;
}

#[diagnostic::do_not_recommend]
impl<T: ToolArgument, Presence> TextArgument<SerdeReader, Presence> for T {
    const UNNAMED: Parameter = tool_argument::<T>("", "");
}

#[diagnostic::do_not_recommend]
impl<T> TextArgument<FromStrReader, RequiredArgument> for T
where
    T: FromStr<Err: Display> + Send + 'static,
{
    const UNNAMED: Parameter = Parameter::unnamed(schema, read::<T>, |_| false, || false);
}

#[diagnostic::do_not_recommend]
impl<T> TextArgument<FromStrReader, OptionalArgument> for Option<T>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    const UNNAMED: Parameter =
        Parameter::unnamed(schema, read_optional::<T>, fill_absent::<T>, || true);
}

/// A parameter of type `T` whose value is a string in the protocol.
#[must_use]
pub const fn text_argument<T, Reader, Presence>(
    name: &'static str,
    description: &'static str,
    _: Reader,
    _: Presence,
) -> Parameter
where
    T: TextArgument<Reader, Presence>,
    Reader: Copy,
    Presence: Copy,
{
    T::UNNAMED.with_name(name, description)
}

fn read<T>(slot: &mut dyn Any, json: &str) -> Result<usize, Error>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    slot::read_with(slot, json, parse::<T>)
}

fn read_optional<T>(slot: &mut dyn Any, json: &str) -> Result<usize, Error>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    slot::read_with(slot, json, |text: Cow<'_, str>| parse::<T>(text).map(Some))
}

fn parse<T: FromStr<Err: Display>>(text: Cow<'_, str>) -> Result<T, Error> {
    text.parse().map_err(Error::custom)
}

/// An absent argument is `None`.
fn fill_absent<T: 'static>(slot: &mut dyn Any) -> bool {
    let slot = slot.downcast_mut::<Option<Option<T>>>();
    slot.is_some_and(|slot| {
        *slot = Some(None);
        true
    })
}

/// Any string: `FromStr` does not describe which ones it accepts.
fn schema() -> Value {
    json!({ "type": "string" })
}
