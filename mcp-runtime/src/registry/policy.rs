use std::time::Duration;

use crate::argument::UnknownArguments;

/// The requirements and limits that a definition sets for its calls.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The required scopes. A caller needs all of them.
    pub scopes: &'static [&'static str],
    /// The message that a user has to confirm before the call. `{name}` is replaced with the value
    /// of the argument `name`.
    pub confirm: Option<&'static str>,
    /// The timeout of each call.
    pub timeout: Option<Duration>,
    /// The maximum number of concurrent calls of the tool.
    pub max_concurrency: Option<usize>,
    /// The maximum size of a result's content, in bytes.
    pub max_result: Option<usize>,
    /// Whether calls can continue as tasks.
    pub task: TaskSupport,
    /// The rule for arguments that match no parameter.
    pub unknown: UnknownArguments,
}

/// Whether the calls of a tool can continue as tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSupport {
    /// Calls cannot continue as tasks.
    Forbidden,
    /// Calls can continue as tasks if the client supports tasks.
    Optional,
    /// Calls continue as tasks. Clients that do not support tasks cannot call the tool.
    Required,
}

impl Policy {
    /// The default policy, which sets no requirements and no limits.
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
