//! Tests the schemas of Rust types.

pub(crate) mod arbitrary;
mod compound;
mod enums;
mod lint;
mod nearest;
mod objects;
mod scalars;
mod serde_strictness;
mod validity;

use super::{input_generator, normalize_input, normalize_output, output_generator, schema_of};
use schemars::JsonSchema;
use serde_json::Value;

/// Checks the normalized schema for an argument of type `T`.
fn check<T: JsonSchema>(expected: Value) {
    let found = normalize_input(schema_of::<T>(input_generator()));
    assert_eq!(
        pretty(&found),
        pretty(&expected),
        "{}",
        std::any::type_name::<T>()
    );
    assert_eq!(
        normalize_input(found.clone()),
        found,
        "normalizing again changes nothing"
    );
}

/// Checks the normalized schema for a return value of type `T`.
fn check_output<T: JsonSchema>(expected: Value) {
    let found = normalize_output(schema_of::<T>(output_generator()));
    assert_eq!(
        pretty(&found),
        pretty(&expected),
        "{}",
        std::any::type_name::<T>()
    );
    assert_eq!(
        normalize_output(found.clone()),
        found,
        "normalizing again changes nothing"
    );
}

/// Formats a value with sorted members, because the order of keywords is irrelevant.
fn pretty(value: &Value) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    format!("{value:#}")
}
