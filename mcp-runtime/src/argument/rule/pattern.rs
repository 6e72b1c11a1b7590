use std::any::Any;

use serde_json::{Map, Value};

use super::Rule;
use super::length::{TextOf, Textual, text};
use crate::schema;

/// A regular expression that occurs in a text.
#[derive(Debug)]
pub struct Pattern {
    pub(super) expression: &'static str,
    pub(super) text: TextOf,
}

/// Refuses a text in which the expression does not occur.
#[must_use]
pub const fn pattern<T: Textual + 'static>(expression: &'static str) -> Pattern {
    Pattern {
        expression,
        text: text::<T>,
    }
}

impl Rule for Pattern {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        schema.insert("pattern".to_owned(), self.expression.into());
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        let text = (self.text)(slot);
        text.is_none_or(|text| schema::matches(self.expression, text).unwrap_or(false))
    }
}
