//! Arguments that are text on the wire: those of prompts and of URIs.
//!
//! A type that serde and schemars know is read as a tool reads it, so that an
//! enum keeps its names and a number its limits. Any other is parsed by its
//! `FromStr`. Generated code asks which by the associated constants of
//! [`Asked`]: one that is inherent under a bound stands before that of a trait.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Serialize;
use serde::de::Error as _;
use serde_json::{Error, Value, json};

use super::{Parameter, ToolArgument, default_value, slot, tool_argument};

/// A type to ask questions of in a constant, without a value.
#[derive(Debug)]
pub struct Asked<T>(PhantomData<fn() -> T>);

/// The type is read by serde.
#[derive(Clone, Copy, Debug)]
pub struct ByJson;
/// The type is parsed.
#[derive(Clone, Copy, Debug)]
pub struct ByText;

impl<T: ToolArgument> Asked<T> {
    /// First answer to "who reads it?".
    pub const READER: ByJson = ByJson;
}

/// Second answer to "who reads it?".
pub trait TextReader {
    /// Its `FromStr`.
    const READER: ByText = ByText;
}
impl<T> TextReader for Asked<T> {}

/// The type is an `Option`, and the argument may be absent.
#[derive(Clone, Copy, Debug)]
pub struct MayLack;
/// The argument must be there.
#[derive(Clone, Copy, Debug)]
pub struct MustHave;

impl<T> Asked<Option<T>> {
    /// First answer to "must it be there?".
    pub const PRESENCE: MayLack = MayLack;
}

/// Second answer to "must it be there?".
pub trait Required {
    /// Yes.
    const PRESENCE: MustHave = MustHave;
}
impl<T> Required for Asked<T> {}

impl<T: Serialize> Asked<T> {
    /// First answer to "how is a default told?".
    pub const TOLD: fn(T) -> Value = default_value::<T>;
}

/// Second answer to "how is a default told?".
pub trait Untold<T> {
    /// Not at all.
    const TOLD: fn(T) -> Value = |_| Value::Null;
}
impl<T> Untold<T> for Asked<T> {}

/// A type that a prompt or a resource can take from its caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a prompt or a resource",
    label = "not readable from text, or not `Send`",
    note = "the argument arrives as text, so its type is `Send` and implements `std::str::FromStr` with an error that can be shown, or `serde::Deserialize` and `schemars::JsonSchema`",
    note = "for your own type, put `#[json]` on it"
)]
pub trait TextArgument<Reader, Presence>: Sized + Send + 'static {
    /// How it is read; the name and the description are still to come.
    const UNNAMED: Parameter;
}

#[diagnostic::do_not_recommend]
impl<T: ToolArgument, Presence> TextArgument<ByJson, Presence> for T {
    const UNNAMED: Parameter = tool_argument::<T>("", "");
}

#[diagnostic::do_not_recommend]
impl<T> TextArgument<ByText, MustHave> for T
where
    T: FromStr<Err: Display> + Send + 'static,
{
    const UNNAMED: Parameter = Parameter::read_by(schema, read::<T>, |_| false, || false);
}

#[diagnostic::do_not_recommend]
impl<T> TextArgument<ByText, MayLack> for Option<T>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    const UNNAMED: Parameter = Parameter::read_by(schema, read_optional::<T>, settle::<T>, || true);
}

/// A parameter of type `T` whose value arrives as text.
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
    T::UNNAMED.named(name, description)
}

fn read<T>(slot: &mut dyn Any, json: &str) -> Result<usize, Error>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    slot::fill(slot, json, parsed::<T>)
}

fn read_optional<T>(slot: &mut dyn Any, json: &str) -> Result<usize, Error>
where
    T: FromStr<Err: Display> + Send + 'static,
{
    slot::fill(slot, json, |text: Cow<'_, str>| parsed::<T>(text).map(Some))
}

fn parsed<T: FromStr<Err: Display>>(text: Cow<'_, str>) -> Result<T, Error> {
    text.parse().map_err(Error::custom)
}

/// An absent argument is `None`.
fn settle<T: 'static>(slot: &mut dyn Any) -> bool {
    let slot = slot.downcast_mut::<Option<Option<T>>>();
    slot.is_some_and(|slot| {
        *slot = Some(None);
        true
    })
}

/// Any text: what the type refuses of it, only the type knows.
fn schema() -> Value {
    json!({ "type": "string" })
}
