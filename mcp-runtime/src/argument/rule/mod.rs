//! Constraints on the value of an argument beyond its type: `range`, `length`,
//! `pattern`, `items`, `one_of` and `clamp` of `#[arg(…)]`.
//!
//! One value both writes the schema and checks calls, so that the two cannot differ. A
//! trait decides which types a rule applies to, so aliases and `Option`s work.

mod bounds;
pub mod field;
mod flatten;
mod items;
mod length;
mod one_of;
mod pattern;
mod range;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;

use serde_json::{Map, Number, Value};

pub(crate) use bounds::tighten;
pub use bounds::unbounded;
pub use items::items;
pub use length::length;
pub use one_of::one_of;
pub use pattern::pattern;
pub use range::{clamp, range};

/// A constraint on the value of one argument.
pub trait Rule: Sync {
    /// Adds the constraint to the schema of the argument.
    fn write_schema(&self, schema: &mut Map<String, Value>);

    /// Whether the value in the slot, an `Option<T>`, satisfies the rule.
    fn is_satisfied(&self, slot: &dyn Any) -> bool;

    /// A mistake in the declaration of the rule.
    fn definition_error(&self) -> Option<String> {
        None
    }

    /// Whether the typed value has the same precision as the JSON value. If not, the
    /// arguments are also checked against the schema.
    fn is_exact(&self) -> bool {
        true
    }
}

/// A range that valid values outside of it are moved into.
pub trait Clamp: Sync {
    /// A sentence for the description of the argument.
    fn describe(&self) -> String;

    /// Clamps the value in the slot, an `Option<T>`; returns the old and the new value if
    /// they differ.
    fn clamp(&self, slot: &mut dyn Any) -> Option<(Value, Value)>;

    /// Returns the bound for a number outside of the range, which the type of the argument
    /// may be unable to hold, such as -5 for a `u32`.
    fn bound_for(&self, number: &Number) -> Option<Value>;

    /// A mistake in the declaration of the range.
    fn definition_error(&self) -> Option<String>;
}

impl fmt::Debug for dyn Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut schema = Map::new();
        self.write_schema(&mut schema);
        schema.fmt(formatter)
    }
}

impl fmt::Debug for dyn Clamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.describe())
    }
}

/// The value in a slot of type `Option<T>`.
fn value<T: 'static>(slot: &dyn Any) -> Option<&T> {
    slot.downcast_ref::<Option<T>>()?.as_ref()
}
