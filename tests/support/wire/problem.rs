use std::{error::Error, fmt, ops::Deref};

use crate::wire::Revision;

/// One way in which a message breaks the wire rules of its revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the message, as a JSON pointer; empty for the whole message.
    pub pointer: String,
    /// Which kind of rule is broken.
    pub rule: Rule,
    /// The revision whose rule it is.
    pub revision: Revision,
    /// What is wrong there.
    pub message: String,
}

/// The kinds of rule that a message can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// JSON-RPC framing: one object, an id that can be matched, batches.
    Envelope,
    /// The revision does not have this method, or not in this direction.
    Method,
    /// A member that the revision requires is missing.
    Required,
    /// The member belongs to other revisions, not to this one.
    Forbidden,
    /// No revision declares the member.
    Undeclared,
    /// The member has the wrong JSON type or a value that is not allowed.
    Value,
    /// The error code is not defined, or not for this revision or method.
    ErrorCode,
    /// The message is fine by itself, but not at this point.
    Order,
    /// The message needs a capability that was not declared.
    Capability,
    /// The official JSON Schema refuses the message.
    Official,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.pointer.as_str() {
            "" => "the message",
            pointer => pointer,
        };
        let Self {
            rule,
            revision,
            message,
            ..
        } = self;
        write!(formatter, "{revision} {rule:?} at {place}: {message}")
    }
}

/// All problems of one message, at least one.
///
/// `Debug` prints them one a line, so that `unwrap` in a test reads well.
#[derive(Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn none_or(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            Ok(())
        } else {
            Self::fail(problems)
        }
    }

    pub(crate) fn fail<T>(problems: Vec<Problem>) -> Result<T, Self> {
        Err(Self(problems))
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.0 {
            writeln!(formatter, "{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter)?;
        fmt::Display::fmt(self, formatter)
    }
}

impl Error for Problems {}
