//! The names that generated code uses. They are not part of the public API.

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
    ArgumentProbe, Arguments, Completer, CompletionFn, Parameter, Rejection, Slots,
    UnknownArguments, complete_argument, custom_schema, default_value, text_argument,
    to_json_value, tool_argument,
};
pub use crate::context::{Requirement, requirement};
pub use crate::entry::{run, set_up_and_run};
pub use crate::error::Location;
pub use crate::handler::{
    Inputs, NotSendFallback, PrepareFn, PreparedCall, ResourceLister, StateParameters,
    StateProvider, TypedHandler, list_resources,
};
pub use crate::output::{
    OutputConverter, PromptOutcome, ResourceOutcome, ToolOutcome, prompt_result, resource_result,
    tool_result, type_tag,
};
pub use crate::protocol::{
    Annotations, CacheHints, CacheScope, Icon, JsonObject, Role, ToolAnnotations,
};
pub use crate::registry::{
    CommonDescriptor, Policy, PromptDescriptor, ResourceDescriptor, TaskSupport, ToolDescriptor,
};
pub use crate::schema::{Elicitable, FormChoice, FormField};

/// The traits that generated code needs in scope to select methods. They are imported as `_`, so
/// that they do not shadow names of the user.
pub mod selection {
    pub use crate::argument::{FromStrFallback as _, NullFallback as _, RequiredFallback as _};
    pub use crate::context::{FormCheck as _, FormCheckFallback as _};
    pub use crate::output::{
        DisplayKind as _, ResultKind as _, SerializeKind as _, StdErrorKind as _,
        ToolErrorKind as _, ToolOutputKind as _, ValueKind as _,
    };
}
