use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// The default value of an argument. The schema shows clients the same value that the function
/// receives.
pub trait DefaultValue: Sync {
    /// Returns the default as JSON for the schema.
    fn to_json(&self) -> Value;

    /// Puts the default into the slot, which is an `Option<T>`, if the slot is empty.
    fn fill(&self, slot: &mut dyn Any);
}

/// A function that returns a default value, and a function that converts the value to JSON.
#[derive(Debug)]
pub struct DefaultFn<T> {
    make: fn() -> T,
    to_json: fn(T) -> Value,
}

/// Creates a default from the function that returns its value.
#[must_use]
pub const fn default_value<T: 'static>(make: fn() -> T, to_json: fn(T) -> Value) -> DefaultFn<T> {
    DefaultFn { make, to_json }
}

impl<T: 'static> DefaultValue for DefaultFn<T> {
    fn to_json(&self) -> Value {
        (self.to_json)((self.make)())
    }

    fn fill(&self, slot: &mut dyn Any) {
        if let Some(slot) = slot.downcast_mut::<Option<T>>() {
            slot.get_or_insert_with(self.make);
        }
    }
}

impl fmt::Debug for dyn DefaultValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_json().fmt(formatter)
    }
}

/// Converts a default or an example to JSON. Returns `null` if it cannot be serialized.
pub fn to_json_value<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_was_sent_is_not_replaced() {
        let two = default_value(|| 2, to_json_value);
        let mut slots = [None, Some(3), Some(2)];
        for slot in &mut slots {
            two.fill(slot);
        }
        assert_eq!(slots, [Some(2), Some(3), Some(2)]);
        assert_eq!(two.to_json(), 2);
    }
}
