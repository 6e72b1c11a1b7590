//! Reads the `arguments` of a call into the parameters of a function.
//!
//! The code that reads an argument exists once per type, not once per tool. One shared reader walks
//! the JSON object and fills the slot of each parameter ([`Slots`]), so each tool adds almost no
//! code.
//!
//! `read` is the fast path, which takes one pass and builds neither an intermediate tree nor an
//! error text. If the fast path does not accept a call, [`validator`] coerces the values
//! ([`coerce`]), checks them against the schema, and lists every problem ([`message`]).
//!
//! [`ArgumentSet`] holds the arguments of one tool, prompt or resource, and [`Parameter`] holds one
//! of these arguments. A schema is generated from the argument types ([`type_schema`], written by
//! [`schema_text`]), or is a custom schema of the server author ([`mod@custom_schema`]).

mod aliases;
mod argument_set;
mod coerce;
mod completion;
mod custom_schema;
mod default_value;
mod message;
mod parameter;
mod read;
mod read_coerced;
pub(crate) mod rule;
mod schema_text;
mod slot;
#[cfg(test)]
mod tests;
mod text_argument;
mod type_schema;
mod unique_members;
mod validator;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub(crate) use argument_set::ArgumentSet;
pub(crate) use coerce::Coercion;
pub(crate) use completion::CompletionSource;
pub use completion::{Completable, Completer, CompletionFn, CompletionRequest, complete_argument};
pub use custom_schema::custom_schema;
pub use default_value::{default_value, to_json_value};
pub(crate) use parameter::{Adjustment, ArgumentChanges};
pub use parameter::{Parameter, tool_argument};
pub use slot::{Arguments, Slots};
pub use text_argument::{
    ArgumentProbe, FromStrFallback, NullFallback, RequiredFallback, text_argument,
};

/// A type that can be an argument of a tool.
///
/// It is implemented for every type that can be deserialized from JSON, has a JSON Schema, and can
/// be sent from the thread that reads the value to the thread that runs the handler.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not readable from JSON, without a JSON Schema, or not `Send`",
    note = "a tool argument implements `serde::Deserialize`, `schemars::JsonSchema` and `Send`",
    note = "for your own type, put `#[json]` on it"
)]
pub trait ToolArgument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolArgument for T {}

/// How to handle an argument that matches no parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownArguments {
    /// Reject the call, and suggest the most similar argument name.
    #[default]
    Reject,
    /// Skip the argument.
    Ignore,
}

/// The reason why a call is rejected before its handler runs. The model reads the error text.
#[derive(Debug, thiserror::Error)]
pub enum Rejection {
    /// The arguments are invalid. The text explains how to correct the call.
    #[error("{0}")]
    Arguments(String),
    /// A slot is empty although the reader reported success.
    #[error("an argument was read but its slot is empty")]
    EmptySlot,
    /// A state value is missing although the server checked for it at start-up.
    #[error("the server has no `{0}`")]
    State(&'static str),
}
