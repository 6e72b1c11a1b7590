use std::any::Any;
use std::fmt;

use serde_json::Value;

/// The value of an argument that is absent: clients are told the same that the
/// function gets.
pub trait Preset: Sync {
    /// As it is advertised.
    fn told(&self) -> Value;

    /// Puts it into the slot, an `Option<T>`, if nothing is there.
    fn fill(&self, slot: &mut dyn Any);
}

/// What makes a default, and what tells it.
#[derive(Debug)]
pub struct PresetOf<T> {
    make: fn() -> T,
    tell: fn(T) -> Value,
}

/// The default that `make` makes.
#[must_use]
pub const fn preset<T: 'static>(make: fn() -> T, tell: fn(T) -> Value) -> PresetOf<T> {
    PresetOf { make, tell }
}

impl<T: 'static> Preset for PresetOf<T> {
    fn told(&self) -> Value {
        (self.tell)((self.make)())
    }

    fn fill(&self, slot: &mut dyn Any) {
        if let Some(slot) = slot.downcast_mut::<Option<T>>() {
            slot.get_or_insert_with(self.make);
        }
    }
}

impl fmt::Debug for dyn Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::super::default_value;
    use super::*;

    #[test]
    fn a_value_that_came_is_not_replaced() {
        let two = preset(|| 2, default_value);
        let mut slots = [None, Some(3), Some(2)];
        for slot in &mut slots {
            two.fill(slot);
        }
        assert_eq!(slots, [Some(2), Some(3), Some(2)]);
        assert_eq!(two.told(), 2);
    }
}
