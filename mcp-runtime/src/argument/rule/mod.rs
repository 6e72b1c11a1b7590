//! What an argument must satisfy beyond its type.
//!
//! A rule is one value: clients are told what it says, and calls are held
//! against the same value, so that the two cannot differ. Which types a rule is
//! for is said by a trait, so aliases and `Option`s count.

mod bounds;
pub mod field;
mod items;
mod length;
mod one_of;
mod pattern;
mod range;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;

use serde_json::{Map, Value};

pub(crate) use bounds::tighten;
pub use bounds::unbounded;
pub use items::items;
pub use length::length;
pub use one_of::one_of;
pub use pattern::pattern;
pub use range::{clamp, range};

/// A limit on the values of one argument.
pub trait Rule: Sync {
    /// Writes what clients are told into the schema of the argument.
    fn advertise(&self, schema: &mut Map<String, Value>);

    /// Whether the content of a slot, an `Option<T>`, satisfies it.
    fn holds(&self, slot: &dyn Any) -> bool;

    /// What is wrong with the rule itself.
    fn mistake(&self) -> Option<String> {
        None
    }

    /// Whether the value holds all digits that it is judged by.
    fn is_exact(&self) -> bool {
        true
    }
}

/// A range that values are moved into once they are known to be valid.
pub trait Adjust: Sync {
    /// What clients are told about it, as a sentence.
    fn told(&self) -> String;

    /// Moves the value in the slot, an `Option<T>`; what it was and what it became.
    fn adjust(&self, slot: &mut dyn Any) -> Option<(Value, Value)>;

    /// What is wrong with the range itself.
    fn mistake(&self) -> Option<String>;
}

impl fmt::Debug for dyn Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut schema = Map::new();
        self.advertise(&mut schema);
        schema.fmt(formatter)
    }
}

impl fmt::Debug for dyn Adjust {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.told())
    }
}

/// The value in a slot of the type that a rule was made for.
fn value<T: 'static>(slot: &dyn Any) -> Option<&T> {
    slot.downcast_ref::<Option<T>>()?.as_ref()
}
