//! What generated code names; not an interface for people.

pub use core::convert::Into;
pub use core::option::Option::{None, Some};
pub use core::result::Result::Ok;
pub use core::{env, file, line, option_env};
pub use inventory::submit;
pub use {schemars, serde};

pub use crate::argument::{Fill, Parameter, Refusal, Slot, default_value, tool_argument};
pub use crate::context::{Requirement, requirement};
pub use crate::entry::run;
pub use crate::error::Location;
pub use crate::handler::{Body, Inputs, Prepare};
pub use crate::output::{Outcome, Output, probe, tool_result};
pub use crate::protocol::ToolAnnotations;
pub use crate::registry::{Definition, ToolDescriptor};

/// The questions that [`probe`] answers.
pub mod kinds {
    pub use crate::handler::{Body, Inputs, Prepare};
    pub use crate::output::{
        DirectKind, DisplayedKind, OwnErrorKind, SplitFallible, SplitPlain, StructuredKind,
        TracedKind,
    };
}
