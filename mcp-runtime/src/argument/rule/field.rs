//! The rules of arguments for the fields of `#[json]` types. These rules only write the schema,
//! because values are checked against the schema of the whole type.

use schemars::Schema;
use serde_json::{Value, json};

use super::Rule;
use super::bounds::Bounds;
pub use super::bounds::unbounded;
pub use super::flatten::flatten_option;
use super::items::{CollectionValue, Items};
use super::length::{Length, StringValue};
use super::one_of::{OneOf, OneOfValue};
use super::pattern::Pattern;
use super::range::{NumericValue, Range};
use crate::schema::{ALIASES, UNENFORCED};

/// See [`range`](super::range()).
#[must_use]
pub const fn range<T: NumericValue>(bounds: Bounds<T::Bound>) -> Range<T::Bound> {
    Range {
        bounds,
        number: |_| None,
        set_number: |_, _| {},
    }
}

/// See [`length`](super::length()).
#[must_use]
pub const fn length<T: StringValue>(bounds: Bounds<usize>) -> Length {
    Length {
        bounds,
        text: |_| None,
    }
}

/// See [`pattern`](super::pattern()).
#[must_use]
pub const fn pattern<T: StringValue>(expression: &'static str) -> Pattern {
    Pattern {
        expression,
        text: |_| None,
    }
}

/// See [`items`](super::items()).
#[must_use]
pub const fn items<T: CollectionValue>(bounds: Bounds<usize>) -> Items {
    Items {
        bounds,
        keywords: T::KEYWORDS,
        count: |_| None,
    }
}

/// See [`one_of`](super::one_of()).
#[must_use]
pub const fn one_of<T: OneOfValue>(values: &'static [T::Literal]) -> OneOf<T::Literal> {
    OneOf {
        values,
        equals: |_, _| true,
    }
}

/// Adds rules to the schema of a field.
///
/// An `enum` is put into `allOf`, because a plain `enum` looks like the schema of a Rust enum,
/// which deserialization enforces.
pub fn apply_rules(schema: &mut Schema, rules: &[&dyn Rule]) {
    let keywords = schema.ensure_object();
    for rule in rules {
        rule.write_schema(keywords);
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

/// Adds the aliases under which serde reads a field. They are not advertised.
pub fn add_aliases(schema: &mut Schema, aliases: &[&str]) {
    schema
        .ensure_object()
        .insert(ALIASES.to_owned(), json!(aliases));
}

/// Marks a type whose schema is not enforced when serde reads the type.
pub fn mark_unenforced(schema: &mut Schema) {
    schema
        .ensure_object()
        .insert(UNENFORCED.to_owned(), json!(true));
}

/// Rejects unknown members of a type with flattened fields in the schema, unless one of the fields
/// accepts arbitrary members. Serde alone cannot reject unknown members of such a type.
pub fn close_flattened(schema: &mut Schema) {
    mark_unenforced(schema);
    let keywords = schema.ensure_object();
    let is_decided = [
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
    ];
    if is_decided
        .iter()
        .any(|keyword| keywords.contains_key(*keyword))
    {
        return;
    }
    let combines = ["allOf", "anyOf", "oneOf", "$ref"];
    let closing = match combines
        .iter()
        .any(|keyword| keywords.contains_key(*keyword))
    {
        true => "unevaluatedProperties",
        false => "additionalProperties",
    };
    keywords.insert(closing.to_owned(), json!(false));
}
