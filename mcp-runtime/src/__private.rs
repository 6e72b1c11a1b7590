//! What generated code names; not an interface for people.

pub use core::convert::{From, Into};
pub use core::iter::{IntoIterator, Iterator};
pub use core::option::Option::{None, Some};
pub use core::result::Result::Ok;
pub use core::time::Duration;
pub use core::{env, file, line, option_env};
pub use inventory::submit;
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec;
pub use {schemars, serde};

pub use crate::argument::rule::{clamp, field, items, length, one_of, pattern, range, unbounded};
pub use crate::argument::{
    Arguments, Asked, Complete, Completer, Parameter, Refusal, Slots, Unknown, completer,
    default_value, hand_written, preset, text_argument, tool_argument,
};
pub use crate::context::{Requirement, requirement};
pub use crate::entry::{run, set_up_and_run};
pub use crate::error::Location;
pub use crate::handler::{
    Body, Borrows, Carrying, Inputs, Lender, Lister, Prepare, Stranded, lister,
};
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
pub use crate::schema::{Elicitable, FormChoice, FormField};

/// The traits that ask, without their names: nothing of the user's is shadowed by them.
pub mod kinds {
    pub use crate::argument::{Required as _, TextReader as _, Untold as _};
    pub use crate::context::{FormKind as _, NoFormKind as _};
    pub use crate::output::{
        DirectKind as _, DisplayedKind as _, OwnErrorKind as _, SplitFallible as _,
        SplitPlain as _, StructuredKind as _, TracedKind as _,
    };
}
