use std::any::Any;
use std::fmt;

use serde::de::value::Error as PlainError;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor};
use serde_json::Error;

use super::{Refusal, ToolArgument};

/// Where the value of one parameter arrives.
#[derive(Debug)]
pub struct Slot<T>(Option<T>);

/// A [`Slot`] of any type, as the shared reader sees it.
///
/// It asks nothing of the type, so that a type which cannot be an argument is
/// refused in one place: where its parameter is declared.
pub trait Fill {
    /// The value as an `Option` of its type.
    fn content(&mut self) -> &mut dyn Any;
}

impl<T> Slot<T> {
    /// A slot without a value.
    pub const EMPTY: Self = Self(None);

    /// The value of a required or optional parameter.
    ///
    /// # Errors
    /// None once the arguments were read: the reader has filled the slot.
    pub fn take(self) -> Result<T, Refusal> {
        self.0.ok_or(Refusal::Unfilled)
    }

    /// The value, or the default of the parameter.
    pub fn take_or(self, default: fn() -> T) -> T {
        self.0.unwrap_or_else(default)
    }
}

impl<T: 'static> Fill for Slot<T> {
    fn content(&mut self) -> &mut dyn Any {
        &mut self.0
    }
}

/// Reads one value from the front of `json` into the slot of a `T`; returns how
/// many bytes it took.
pub(super) fn read<T: ToolArgument>(slot: &mut dyn Any, json: &str) -> Result<usize, Error> {
    fill(slot, json, Ok::<T, Error>)
}

/// Reads a `J` from the front of `json`, and what is made of it into the slot of a `T`.
pub(super) fn fill<'a, J: Deserialize<'a>, T: 'static>(
    slot: &mut dyn Any,
    json: &'a str,
    make: impl FnOnce(J) -> Result<T, Error>,
) -> Result<usize, Error> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<J>();
    let value = match values.next() {
        Some(value) => make(value?)?,
        None => return Err(Error::custom("a value is missing")),
    };
    match slot.downcast_mut::<Option<T>>() {
        Some(slot) => *slot = Some(value),
        None => return Err(Error::custom("the value is of another parameter")),
    }
    Ok(values.byte_offset())
}

/// Settles for an absent argument; `false` if `T` has no value for that.
pub(super) fn settle<T: ToolArgument>(slot: &mut dyn Any) -> bool {
    let slot = slot.downcast_mut::<Option<T>>();
    slot.is_some_and(|slot| {
        *slot = absent();
        slot.is_some()
    })
}

/// Whether `T` has a value for an absent argument, as `Option` has.
pub(super) fn is_optional<T: DeserializeOwned>() -> bool {
    absent::<T>().is_some()
}

/// Asks the type itself, as serde does for a missing field, so that aliases and
/// transparent wrappers of `Option` count and nothing is decided by a name.
fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = PlainError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, PlainError> {
        Err(PlainError::custom(Missing))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PlainError> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, PlainError> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the argument is absent")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_have_a_value_for_an_absent_argument() {
        type Alias = Option<Vec<u8>>;
        assert!(is_optional::<Option<u8>>());
        assert!(is_optional::<Alias>());
        assert!(!is_optional::<u8>());
        assert!(!is_optional::<()>());
        assert!(!is_optional::<String>());
        assert!(!is_optional::<serde_json::Value>());
    }
}
