//! The same rules for a field: only told, since a value is held against the
//! schema of its whole type.

use schemars::Schema;
use serde_json::{Value, json};

use super::Rule;
use super::bounds::Bounds;
pub use super::bounds::unbounded;
use super::items::{Counted, Items};
use super::length::{Length, Textual};
use super::one_of::{Listed, OneOf};
use super::pattern::Pattern;
use super::range::{Range, Ranged};

/// As [`range`](super::range()).
#[must_use]
pub const fn range<T: Ranged>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    Range {
        bounds,
        number: |_| None,
        replace: |_, _| {},
    }
}

/// As [`length`](super::length()).
#[must_use]
pub const fn length<T: Textual>(bounds: Bounds<usize>) -> Length {
    Length {
        bounds,
        text: |_| None,
    }
}

/// As [`pattern`](super::pattern()).
#[must_use]
pub const fn pattern<T: Textual>(expression: &'static str) -> Pattern {
    Pattern {
        expression,
        text: |_| None,
    }
}

/// As [`items`](super::items()).
#[must_use]
pub const fn items<T: Counted>(bounds: Bounds<usize>) -> Items {
    Items {
        bounds,
        keywords: T::KEYWORDS,
        count: |_| None,
    }
}

/// As [`one_of`](super::one_of()).
#[must_use]
pub const fn one_of<T: Listed>(values: &'static [T::Literal]) -> OneOf<T::Literal> {
    OneOf {
        values,
        is: |_, _| true,
    }
}

/// Writes rules into the schema of a field, which must not look like that of a
/// type, since reading the type does not enforce them.
pub fn limit(schema: &mut Schema, rules: &[&dyn Rule]) {
    let keywords = schema.ensure_object();
    for rule in rules {
        rule.advertise(keywords);
    }
    let Some(Value::Array(mut values)) = keywords.remove("enum") else {
        return;
    };
    let kinds = keywords.get("type").and_then(Value::as_array);
    if kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")) {
        values.push(Value::Null);
    }
    keywords.insert("allOf".to_owned(), json!([{ "enum": values }]));
}
