use std::time::Duration;

use crate::argument::UnknownArguments;

/// What the author of a definition requires of its calls.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The scopes that a caller needs, all of them.
    pub scopes: &'static [&'static str],
    /// The question that a user must confirm before the call; `{name}` stands for the
    /// argument `name`.
    pub confirm: Option<&'static str>,
    /// The timeout of a call.
    pub timeout: Option<Duration>,
    /// The maximum number of concurrent calls.
    pub max_concurrency: Option<usize>,
    /// The maximum size of a result, in bytes.
    pub max_result: Option<usize>,
    /// Whether its calls can continue as tasks.
    pub task: TaskSupport,
    /// What happens to arguments that no parameter has.
    pub unknown: UnknownArguments,
}

/// Whether the calls of a tool can continue as tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSupport {
    /// They cannot.
    Forbidden,
    /// They can, for clients that support tasks.
    Optional,
    /// Clients that do not support tasks cannot call the tool.
    Required,
}

impl Policy {
    /// A policy without requirements.
    pub const DEFAULT: Self = Self {
        scopes: &[],
        confirm: None,
        timeout: None,
        max_concurrency: None,
        max_result: None,
        task: TaskSupport::Forbidden,
        unknown: UnknownArguments::Reject,
    };
}
