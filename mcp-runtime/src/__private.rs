//! What generated code names; not an interface for people.

pub use core::convert::Into;
pub use core::option::Option::{None, Some};
pub use core::result::Result::Ok;
pub use core::{env, file, line, option_env};
pub use inventory::submit;
pub use {schemars, serde};

pub use crate::argument::{
    Complete, Completer, Fill, Parameter, Refusal, Slot, completer, default_value, tool_argument,
};
pub use crate::context::{Requirement, requirement};
pub use crate::entry::run;
pub use crate::error::Location;
pub use crate::handler::{Body, Inputs, Lender, Lister, Prepare, lister};
pub use crate::output::{
    Outcome, Output, PromptOutcome, ResourceOutcome, probe, prompt_result, resource_result,
    tool_result,
};
pub use crate::protocol::{Annotations, CacheHints, CacheScope, Role, ToolAnnotations};
pub use crate::registry::{
    Definition, Extras, PromptDescriptor, ResourceDescriptor, ToolDescriptor,
};

/// The questions that [`probe`] answers.
pub mod kinds {
    pub use crate::handler::{Body, Inputs, Prepare};
    pub use crate::output::{
        DirectKind, DisplayedKind, OwnErrorKind, SplitFallible, SplitPlain, StructuredKind,
        TracedKind,
    };
}
