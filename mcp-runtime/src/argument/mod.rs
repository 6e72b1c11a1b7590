//! The seam in: from the `arguments` of a call to the parameters of a function.
//!
//! Arguments are read by type, not by tool: one shared reader walks the JSON
//! object and fills a [`Slot`] a parameter, so a tool adds almost no code.
//! What the reader refuses is repaired or explained by [`repair`] and [`violation`].

mod complete;
mod declared;
mod explain;
mod read;
mod repair;
mod slot;
mod violation;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::schema;

pub use complete::{Completable, Complete, Completer, Completing, completer};
pub(crate) use declared::Declared;
pub(crate) use repair::Coercion;
pub use slot::{Fill, Slot};

/// A type that a tool can take from its caller.
///
/// Implemented for everything that can be read from JSON and has a JSON Schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not readable from JSON, or without a JSON Schema",
    note = "a tool argument implements `serde::Deserialize` and `schemars::JsonSchema`, and is `Send`",
    note = "for your own type, put `#[json]` on it"
)]
pub trait ToolArgument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolArgument for T {}

/// What is advertised of one owned parameter, and how its value is read.
///
/// Made in a constant by generated code.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// As schemars tells it, before it is made plain.
    pub(crate) schema: fn() -> Value,
    pub(crate) optional: fn() -> bool,
    pub(crate) default: Option<fn() -> Value>,
    pub(crate) complete: Option<Complete>,
}

/// A parameter of type `T` named `name` on the wire.
#[must_use]
pub const fn tool_argument<T: ToolArgument>(
    name: &'static str,
    description: &'static str,
) -> Parameter {
    Parameter {
        name,
        description,
        schema: told::<T>,
        optional: slot::is_optional::<T>,
        default: None,
        complete: None,
    }
}

fn told<T: JsonSchema>() -> Value {
    schema::of::<T>(schema::generator())
}

impl Parameter {
    /// The same parameter with the value that stands for an absent argument.
    #[must_use]
    pub const fn with_default(mut self, default: fn() -> Value) -> Self {
        self.default = Some(default);
        self
    }

    /// The same parameter with what completes its values.
    #[must_use]
    pub const fn with_completion(mut self, complete: Complete) -> Self {
        self.complete = Some(complete);
        self
    }

    /// The name on the wire.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The doc comment; empty where there is none.
    pub(crate) fn description(&self) -> &'static str {
        self.description
    }

    /// The schema of the type with the description of the parameter, which
    /// stands for the type's own as that of a field does.
    pub(crate) fn described(&self) -> Value {
        let mut schema = (self.schema)();
        if let (Value::Object(schema), false) = (&mut schema, self.description.is_empty()) {
            schema.insert("description".to_owned(), self.description.into());
        }
        schema
    }

    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !(self.optional)()
    }
}

/// A default as it is advertised; `null` if it cannot be written as JSON.
pub fn default_value<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// Why a call stops before its body runs, told to the model.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The arguments do not fit; the text says how to repair the call.
    #[error("{0}")]
    Arguments(String),
    /// A slot was left empty although the reader was satisfied.
    #[error("an argument was read and is not there")]
    Unfilled,
    /// A state value is missing although the start checked for it.
    #[error("the server has no `{0}`")]
    State(&'static str),
}
