//! Arguments that are strings in the protocol: the arguments of prompts and of resource URIs.
//!
//! A type that implements the traits of serde and schemars is read in the same way as a tool
//! argument. An enum keeps its variant names, and a number keeps its limits. Any other type is
//! parsed by its `FromStr`. Generated code selects between the two readers with the associated
//! constants of [`ArgumentProbe`]. An inherent constant, which exists only if the type satisfies a
//! bound, takes precedence over the constant of a trait.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Serialize;
use serde::de::Error as _;
use serde_json::{Error, Value, json};

use super::{Parameter, ToolArgument, slot, to_json_value, tool_argument};

/// A marker for a type. Generated code reads the properties of the type from its constants.
#[derive(Debug)]
pub struct ArgumentProbe<T>(PhantomData<fn() -> T>);

/// A marker for a type that is read by serde.
#[derive(Clone, Copy, Debug)]
pub struct SerdeReader;
/// A marker for a type that is parsed by its `FromStr`.
#[derive(Clone, Copy, Debug)]
pub struct FromStrReader;

impl<T: ToolArgument> ArgumentProbe<T> {
    /// Selected if serde can read the type.
    pub const READER: SerdeReader = SerdeReader;
}

/// The fallback for a type that serde cannot read.
pub trait FromStrFallback {
    /// Selected if the type is not a `ToolArgument`.
    const READER: FromStrReader = FromStrReader;
}
impl<T> FromStrFallback for ArgumentProbe<T> {}

/// A marker for an `Option`. The argument may be absent.
#[derive(Clone, Copy, Debug)]
pub struct OptionalArgument;
/// A marker for a type that is not an `Option`. The argument is required.
#[derive(Clone, Copy, Debug)]
pub struct RequiredArgument;

impl<T> ArgumentProbe<Option<T>> {
    /// Selected for an `Option`.
    pub const PRESENCE: OptionalArgument = OptionalArgument;
}

/// The fallback for a type that is not an `Option`.
pub trait RequiredFallback {
    /// Selected if the type is not an `Option`.
    const PRESENCE: RequiredArgument = RequiredArgument;
}
impl<T> RequiredFallback for ArgumentProbe<T> {}

impl<T: Serialize> ArgumentProbe<T> {
    /// Selected if the type can be serialized.
    pub const TO_JSON: fn(T) -> Value = to_json_value::<T>;
}

/// The fallback for a type that cannot be serialized.
pub trait NullFallback<T> {
    /// Returns `null` for every default, so that the schema has no default.
    const TO_JSON: fn(T) -> Value = |_| Value::Null;
}
impl<T> NullFallback<T> for ArgumentProbe<T> {}

/// A type that can be the argument of a prompt or a resource.
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

/// Creates a parameter of type `T` whose value is a string in the protocol.
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

/// Fills the slot of an absent argument with `None`.
fn fill_absent<T: 'static>(slot: &mut dyn Any) -> bool {
    let slot = slot.downcast_mut::<Option<Option<T>>>();
    slot.is_some_and(|slot| {
        *slot = Some(None);
        true
    })
}

/// Returns a schema that accepts every string, because `FromStr` does not describe the strings that
/// it accepts.
fn schema() -> Value {
    json!({ "type": "string" })
}
