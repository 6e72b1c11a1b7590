use std::any::Any;
use std::fmt;

use serde::de::value::Error as PlainError;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor};
use serde_json::Error;

use super::ToolArgument;

/// The arguments of a function: the first and the others, in pairs down to `()`,
/// so that all functions of the same types are read by the same code.
///
/// It asks nothing of a type, so that one which cannot be an argument is refused
/// in one place: where its parameter is declared.
pub trait Arguments: Sized + 'static {
    /// Where each arrives.
    type Slots: Slots + Default;

    /// The values, if all have arrived.
    fn taken(slots: Self::Slots) -> Option<Self>;
}

/// Where arguments arrive, as the shared reader sees it.
pub trait Slots {
    /// The slot of the parameter at `index`: an `Option` of its type.
    fn slot(&mut self, index: usize) -> Option<&mut dyn Any>;

    /// Empties all of them.
    fn clear(&mut self);
}

impl Arguments for () {
    type Slots = ();

    fn taken((): ()) -> Option<()> {
        Some(())
    }
}

impl<First: 'static, Others: Arguments> Arguments for (First, Others) {
    type Slots = (Option<First>, Others::Slots);

    fn taken((first, others): Self::Slots) -> Option<Self> {
        Some((first?, Others::taken(others)?))
    }
}

impl Slots for () {
    fn slot(&mut self, _: usize) -> Option<&mut dyn Any> {
        None
    }

    fn clear(&mut self) {}
}

impl<First: 'static, Others: Slots> Slots for (Option<First>, Others) {
    fn slot(&mut self, index: usize) -> Option<&mut dyn Any> {
        match index.checked_sub(1) {
            None => Some(&mut self.0),
            Some(index) => self.1.slot(index),
        }
    }

    fn clear(&mut self) {
        self.0 = None;
        self.1.clear();
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
