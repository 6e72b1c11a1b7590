//! What generated code names; not an interface for people.

pub use core::convert::{From, Into};
pub use core::iter::{IntoIterator, Iterator};
pub use core::option::Option::{None, Some};
pub use core::result::Result::Ok;
pub use core::time::Duration;
pub use core::{env, file, line, option_env};
pub use inventory::submit;
pub use std::string::String;
pub use std::vec;
pub use {schemars, serde};

pub use crate::argument::rule::{clamp, field, items, length, one_of, pattern, range, unbounded};
pub use crate::argument::{
    Complete, Completer, Fill, Parameter, Refusal, Slot, Unknown, completer, default_value,
    hand_written, tool_argument,
};
pub use crate::context::{Requirement, requirement};
pub use crate::entry::run;
pub use crate::error::Location;
pub use crate::handler::{Carrying, Inputs, Lender, Lister, Prepare, Stranded, lister};
pub use crate::output::{
    Outcome, Output, PromptOutcome, ResourceOutcome, probe, prompt_result, resource_result,
    tool_result,
};
pub use crate::protocol::{
    Annotations, CacheHints, CacheScope, Icon, JsonObject, Role, ToolAnnotations,
};
pub use crate::registry::{
    Definition, Policy, PromptDescriptor, ResourceDescriptor, TaskSupport, ToolDescriptor,
};

/// The questions that [`probe`] answers.
pub mod kinds {
    pub use crate::handler::{Body, Inputs, Prepare};
    pub use crate::output::{
        DirectKind, DisplayedKind, OwnErrorKind, SplitFallible, SplitPlain, StructuredKind,
        TracedKind,
    };
}
