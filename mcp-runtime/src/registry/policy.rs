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
    /// What becomes of arguments that no parameter takes.
    pub unknown: Unknown,
}

impl Policy {
    /// A tool about whose calls nothing is said.
    pub const OPEN: Self = Self {
        scopes: &[],
        confirm: None,
        timeout: None,
        max_concurrency: None,
        max_result: None,
        unknown: Unknown::Refuse,
    };
}
