//! Generates JSON Schemas (2020-12) from Rust types, normalizes them, and validates values.
//!
//! Most clients and model APIs support only a subset of JSON Schema. If a client rejects one
//! schema, all tools of a server may become unavailable. The schemas that schemars generates are
//! therefore normalized before they are sent. Custom schemas are sent unchanged.

mod check;
mod elicitation;
mod equality;
mod example;
mod format;
#[cfg(feature = "http")]
mod header;
mod human_readable;
mod internal;
mod keyword;
pub(crate) mod lint;
mod misformed;
mod normalize;
mod number;
mod object;
mod pattern;
mod serde_strictness;
#[cfg(test)]
pub(crate) mod tests;
mod violation;

#[cfg(test)]
pub(crate) use check::is_valid;
pub(crate) use check::{BudgetedValidator, check, matching_branch, unsupported_keywords};
pub use elicitation::{Elicitable, FormChoice, FormField};
pub(crate) use elicitation::{elicitation_form, form_content_error, form_schema_error};
pub(crate) use equality::json_eq;
pub(crate) use example::{alternative_examples, example};
pub(crate) use format::StringFormat;
#[cfg(feature = "http-client")]
pub(crate) use header::try_header_parameters;
#[cfg(feature = "http")]
pub(crate) use header::{HeaderParameter, header_parameters};
pub(crate) use internal::{ALIASES, FAILURE, UNENFORCED, has_aliases, replace_aliases};
pub(crate) use keyword::{
    names_property, push_token, required_names, resolve_reference, subschemas, unescape,
};
pub(crate) use misformed::misformed_strings;
pub(crate) use normalize::{normalize_input, normalize_output};
pub(crate) use number::{Decimal, SIGNED_DIGITS, UNSIGNED_DIGITS, compare, is_integer};
pub(crate) use object::{Property, object_schema};
pub(crate) use pattern::matches_pattern;
pub(crate) use serde_strictness::{SerdeStrictness, serde_strictness, unreadable_integer};
pub(crate) use violation::{Problem, Violation};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The keywords of one schema object, in the order in which they are sent.
pub(crate) type Keywords = Map<String, Value>;

/// Returns a schema generator for arguments. Its schemas describe deserialization.
pub(crate) fn input_generator() -> SchemaGenerator {
    settings().for_deserialize().into_generator()
}

/// Returns a schema generator for results. Its schemas describe serialization.
pub(crate) fn output_generator() -> SchemaGenerator {
    settings().for_serialize().into_generator()
}

/// Returns the schema of `T` that schemars generates, with recursive types under `$defs`.
///
/// The schema still has integer widths as `format`, which [`normalize_input()`] removes.
///
/// If the schema function of `T` panics, the returned schema has only the keyword [`FAILURE`]. The
/// server can then still serve the other tools.
pub(crate) fn schema_of<T: JsonSchema + ?Sized>(mut generator: SchemaGenerator) -> Value {
    let generate = move || {
        let mut schema = generator.subschema_for::<T>();
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema.to_value()
    };
    catch_unwind(AssertUnwindSafe(generate)).unwrap_or_else(|_| {
        let name = std::any::type_name::<T>();
        tracing::error!("the schema function of `{name}` panicked");
        json!({ FAILURE: name })
    })
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    })
}
