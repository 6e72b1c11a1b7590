//! JSON Schema (2020-12): from Rust types, made plain, and checked.
//!
//! Most clients and model APIs understand a part of JSON Schema only, and one
//! schema outside of that part can take down every tool of a server.
//! So what schemars says about a type is rewritten before a client sees it;
//! a schema written by hand is left alone.

mod check;
mod describe;
mod elicitation;
mod equality;
mod example;
#[cfg(feature = "http")]
mod header;
mod keyword;
pub(crate) mod lint;
mod normalise;
mod number;
mod object;
mod pattern;
#[cfg(test)]
pub(crate) mod tests;
mod trust;
mod violation;

#[cfg(test)]
pub(crate) use check::is_valid;
pub(crate) use check::{Validity, check, fitting, unsupported};
pub use elicitation::{Elicitable, FormChoice, FormField};
pub(crate) use elicitation::{answer_misfit, form, misfit};
pub(crate) use equality::equal;
pub(crate) use example::example;
#[cfg(feature = "http-client")]
pub(crate) use header::checked_header_parameters;
#[cfg(feature = "http")]
pub(crate) use header::{HeaderParameter, header_parameters};
pub(crate) use keyword::{named, push_token, required, target};
pub(crate) use normalise::{normalise, output};
pub(crate) use number::{Decimal, SIGNED_DIGITS, UNSIGNED_DIGITS, compare};
pub(crate) use object::{Property, object};
pub(crate) use pattern::matches;
pub(crate) use trust::{Trust, trust};
pub(crate) use violation::{Problem, Violation};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// One schema object, its keywords in the order they are published.
pub(crate) type Keywords = Map<String, Value>;

/// A generator for what a type accepts as an argument.
pub(crate) fn generator() -> SchemaGenerator {
    settings().for_deserialize().into_generator()
}

/// A generator for what a type looks like once it is serialised.
pub(crate) fn output_generator() -> SchemaGenerator {
    settings().for_serialize().into_generator()
}

/// The schema of `T` as schemars tells it, recursive types under `$defs`.
///
/// It still names integer widths by `format`, which [`normalise()`] removes.
pub(crate) fn of<T: JsonSchema + ?Sized>(mut generator: SchemaGenerator) -> Value {
    let mut schema = generator.subschema_for::<T>();
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema.to_value()
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    })
}
