use std::time::Duration;

use crate::argument::Unknown;

/// What an author lays down about the calls of a tool, or the use of anything else.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// What callers must be granted, all of them.
    pub scopes: &'static [&'static str],
    /// What a person is asked first; `{name}` stands for the argument `name`.
    pub confirm: Option<&'static str>,
    /// How long a call may take.
    pub timeout: Option<Duration>,
    /// How many calls may run at the same time.
    pub max_concurrency: Option<usize>,
    /// How many bytes of result a client may get.
    pub max_result: Option<usize>,
    /// Whether its work can go on as a task.
    pub task: TaskSupport,
    /// What becomes of arguments that no parameter takes.
    pub unknown: Unknown,
}

/// Whether the work of a tool can go on as a task after its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSupport {
    /// It is done when the call is answered.
    Forbidden,
    /// It goes on where the client knows tasks.
    Optional,
    /// A client that knows no tasks cannot call it.
    Required,
}

impl Policy {
    /// A tool about whose calls nothing is said.
    pub const OPEN: Self = Self {
        scopes: &[],
        confirm: None,
        timeout: None,
        max_concurrency: None,
        max_result: None,
        task: TaskSupport::Forbidden,
        unknown: Unknown::Refuse,
    };
}
