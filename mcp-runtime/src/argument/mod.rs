//! The seam in: from the `arguments` of a call to the parameters of a function.
//!
//! Arguments are read by type, not by tool: one shared reader walks the JSON
//! object and fills the slot of each parameter ([`Slots`]), so a tool adds
//! almost no code.
//! What the reader refuses is repaired or explained by [`repair`] and [`violation`].

mod by_hand;
mod candidates;
mod complete;
mod declared;
mod explain;
mod listed;
mod of_type;
mod parameter;
mod preset;
mod read;
mod repair;
pub(crate) mod rule;
mod slot;
#[cfg(test)]
mod tests;
mod text;
mod violation;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub use by_hand::hand_written;
pub(crate) use candidates::Candidates;
pub use complete::{Completable, Complete, Completer, Completing, completer};
pub(crate) use declared::{Adjustment, Declared, Read};
pub use parameter::{Parameter, default_value, tool_argument};
pub use preset::preset;
pub(crate) use repair::Coercion;
pub use slot::{Arguments, Slots};
pub use text::{Asked, Required, TextReader, Untold, text_argument};

/// A type that a tool can take from its caller.
///
/// Implemented for everything that can be read from JSON, has a JSON Schema, and
/// can go from the thread that reads it to the one that runs the body.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not readable from JSON, without a JSON Schema, or not `Send`",
    note = "a tool argument implements `serde::Deserialize`, `schemars::JsonSchema` and `Send`",
    note = "for your own type, put `#[json]` on it"
)]
pub trait ToolArgument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolArgument for T {}

/// What becomes of an argument that no parameter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// The call is refused, with the nearest name.
    #[default]
    Refuse,
    /// It is left unread.
    Ignore,
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
