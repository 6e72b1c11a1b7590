//! Constraints on the value of an argument beyond its type: `range`, `length`, `pattern`, `items`,
//! `one_of` and `clamp` of `#[arg(…)]`.
//!
//! One [`Rule`] both writes the schema and checks the values of calls, so the schema and the checks
//! cannot differ. A trait for each rule selects the types that it applies to, so rules also apply
//! to type aliases and to `Option`s.

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

    /// Whether the value in the slot, which is an `Option<T>`, satisfies the rule.
    fn is_satisfied(&self, slot: &dyn Any) -> bool;

    /// Returns the mistake in the declaration of the rule, if there is one.
    fn definition_error(&self) -> Option<String> {
        None
    }

    /// Whether the typed value has the same precision as the JSON value. If the precision differs,
    /// the arguments are also checked against the schema.
    fn is_exact(&self) -> bool {
        true
    }
}

/// A range for the value of an argument. A valid value outside of the range is moved into it.
pub trait Clamp: Sync {
    /// Returns a sentence about the range for the description of the argument.
    fn describe(&self) -> String;

    /// Clamps the value in the slot, which is an `Option<T>`. Returns the old and the new value if
    /// they differ.
    fn clamp(&self, slot: &mut dyn Any) -> Option<(Value, Value)>;

    /// Returns the nearer bound for a number outside of the range. The type of the argument may be
    /// unable to hold the number, such as -5 for a `u32`.
    fn bound_for(&self, number: &Number) -> Option<Value>;

    /// Returns the mistake in the declaration of the range, if there is one.
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

/// Returns the value in a slot of type `Option<T>`.
fn value<T: 'static>(slot: &dyn Any) -> Option<&T> {
    slot.downcast_ref::<Option<T>>()?.as_ref()
}
