use std::any::Any;

use serde_json::{Map, Value};

use super::Rule;
use super::length::{AsStrFn, StringValue, text};
use crate::schema;

/// A regular expression that must match somewhere in a string.
#[derive(Debug)]
pub struct Pattern {
    pub(super) expression: &'static str,
    pub(super) text: AsStrFn,
}

/// Creates a rule that rejects strings in which the expression has no match.
#[must_use]
pub const fn pattern<T: StringValue + 'static>(expression: &'static str) -> Pattern {
    Pattern {
        expression,
        text: text::<T>,
    }
}

impl Rule for Pattern {
    fn write_schema(&self, schema: &mut Map<String, Value>) {
        schema.insert("pattern".to_owned(), self.expression.into());
    }

    fn is_satisfied(&self, slot: &dyn Any) -> bool {
        let text = (self.text)(slot);
        text.is_none_or(|text| schema::matches_pattern(self.expression, text).unwrap_or(false))
    }
}
