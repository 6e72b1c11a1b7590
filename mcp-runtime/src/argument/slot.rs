use std::any::Any;

use serde::de::value::Error as PlainError;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor};
use serde_json::Error;

use super::ToolArgument;

/// The arguments of a function as nested pairs, `(A, (B, ()))`. Functions with the same argument
/// types share the code that reads them.
///
/// The argument types have no trait bound here. The compiler therefore reports an invalid argument
/// type only once, at the declaration of its parameter.
pub trait Arguments: Sized + 'static {
    /// One slot for each argument.
    type Slots: Slots + Default;

    /// Returns the values of the arguments, or `None` if a slot is empty.
    fn from_slots(slots: Self::Slots) -> Option<Self>;
}

/// The slots of all arguments with their types erased, so that all functions share one reader.
pub trait Slots {
    /// Returns the slot of the parameter at `index`, which is an `Option` of the parameter type.
    fn slot(&mut self, index: usize) -> Option<&mut dyn Any>;

    /// Removes the value from every slot.
    fn clear(&mut self);
}

impl Arguments for () {
    type Slots = ();

    fn from_slots((): ()) -> Option<()> {
        Some(())
    }
}

impl<First: 'static, Others: Arguments> Arguments for (First, Others) {
    type Slots = (Option<First>, Others::Slots);

    fn from_slots((first, others): Self::Slots) -> Option<Self> {
        Some((first?, Others::from_slots(others)?))
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

/// Reads one value from the start of `json` into the slot of a `T`, and returns the length of the
/// value's text in bytes.
pub(super) fn read<T: ToolArgument>(slot: &mut dyn Any, json: &str) -> Result<usize, Error> {
    if json.starts_with("null")
        && let Ok(value) = T::deserialize(NullOfNested)
    {
        return match slot.downcast_mut::<Option<T>>() {
            Some(slot) => {
                *slot = Some(value);
                Ok("null".len())
            }
            None => Err(Error::custom("the value belongs to another parameter")),
        };
    }
    read_with(slot, json, Ok::<T, Error>)
}

/// Reads a `J` from the start of `json`, converts it to a `T` with `convert`, and puts the `T` into
/// the slot.
pub(super) fn read_with<'a, J: Deserialize<'a>, T: 'static>(
    slot: &mut dyn Any,
    json: &'a str,
    convert: impl FnOnce(J) -> Result<T, Error>,
) -> Result<usize, Error> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<J>();
    let value = match values.next() {
        Some(value) => convert(value?)?,
        None => return Err(Error::custom("a value is missing")),
    };
    match slot.downcast_mut::<Option<T>>() {
        Some(slot) => *slot = Some(value),
        None => return Err(Error::custom("the value belongs to another parameter")),
    }
    Ok(values.byte_offset())
}

/// Fills the slot of an absent argument. Returns `false` if `T` has no value for an absent
/// argument.
pub(super) fn fill_absent<T: ToolArgument>(slot: &mut dyn Any) -> bool {
    let slot = slot.downcast_mut::<Option<T>>();
    slot.is_some_and(|slot| {
        *slot = value_when_absent();
        slot.is_some()
    })
}

/// Whether `T` has a value for an absent argument, such as `None` for an `Option`.
pub(super) fn is_optional<T: DeserializeOwned>() -> bool {
    value_when_absent::<T>().is_some()
}

/// Deserializes a `T` in the same way as serde deserializes a missing field. Type aliases and
/// transparent wrappers of `Option` therefore count as optional.
fn value_when_absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(MissingValue).ok()
}

/// A deserializer of a missing value. It yields `None` for an `Option`, and an error for any other
/// type.
struct MissingValue;

impl<'de> Deserializer<'de> for MissingValue {
    type Error = PlainError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, PlainError> {
        Err(PlainError::custom("the argument is missing"))
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

/// A deserializer of `null` for an `Option` in an `Option`. It yields `Some(None)`, because `None`
/// stands for an absent value. For any other type it yields an error.
struct NullOfNested;

/// The deserializer for the inner `Option` of [`NullOfNested`].
struct NullOfOption;

/// The error for a type that is not an `Option` in an `Option`. It has no text.
#[derive(Debug)]
struct NotNested;

impl std::fmt::Display for NotNested {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("not an option in an option")
    }
}

impl std::error::Error for NotNested {}

impl serde::de::Error for NotNested {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

macro_rules! null_deserializer {
    ($name:ident, $visitor:ident => $option:expr) => {
        impl<'de> Deserializer<'de> for $name {
            type Error = NotNested;

            fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NotNested> {
                Err(NotNested)
            }

            fn deserialize_option<V: Visitor<'de>>(
                self,
                $visitor: V,
            ) -> Result<V::Value, NotNested> {
                $option
            }

            fn deserialize_newtype_struct<V: Visitor<'de>>(
                self,
                _: &'static str,
                visitor: V,
            ) -> Result<V::Value, NotNested> {
                visitor.visit_newtype_struct(self)
            }

            serde::forward_to_deserialize_any! {
                bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes
                byte_buf unit unit_struct seq tuple tuple_struct map struct enum identifier
                ignored_any
            }
        }
    };
}

null_deserializer!(NullOfNested, visitor => visitor.visit_some(NullOfOption));
null_deserializer!(NullOfOption, visitor => visitor.visit_none());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_the_inner_value_of_a_nested_option() {
        fn check<T: ToolArgument + PartialEq + std::fmt::Debug>(expected: T) {
            let mut slot: Option<T> = None;
            assert_eq!(read::<T>(&mut slot, "null,").unwrap(), 4);
            assert_eq!(slot, Some(expected));
        }
        check::<Option<Option<String>>>(Some(None));
        check::<Option<u8>>(None);
        check::<Option<serde_json::Value>>(None);
        check(serde_json::Value::Null);
        check(());
    }

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
