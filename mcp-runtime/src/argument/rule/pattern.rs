use std::any::Any;
use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::length::Textual;
use super::{Rule, value};
use crate::schema;

/// A regular expression that occurs in a text.
#[derive(Debug)]
pub struct Pattern<T> {
    expression: &'static str,
    of: PhantomData<fn() -> T>,
}

/// Refuses a text in which the expression does not occur.
#[must_use]
pub const fn pattern<T: Textual>(expression: &'static str) -> Pattern<T> {
    Pattern {
        expression,
        of: PhantomData,
    }
}

impl<T: Textual> Rule for Pattern<T> {
    fn advertise(&self, schema: &mut Map<String, Value>) {
        schema.insert("pattern".to_owned(), self.expression.into());
    }

    fn holds(&self, slot: &dyn Any) -> bool {
        let text = value::<T>(slot).and_then(T::text);
        text.is_none_or(|text| schema::matches(self.expression, text).unwrap_or(false))
    }

    fn mistake(&self) -> Option<String> {
        let expression = self.expression;
        let unknown = schema::matches(expression, "").is_none();
        unknown.then(|| {
            format!(
                "`{expression}` is no regular expression that can be enforced; \
                 it may not hold look-around or back-references"
            )
        })
    }
}
