use std::{error::Error, fmt, ops::Deref};

use crate::wire::Revision;

/// One violation of the wire rules of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position in the message, as a JSON pointer; empty for the whole message.
    pub pointer: String,
    /// The kind of rule.
    pub rule: Rule,
    /// The revision that has the rule.
    pub revision: Revision,
    /// What is wrong.
    pub message: String,
}

/// The kinds of rule that a message can violate.
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
    /// The message is valid, but not at this point of the conversation.
    Order,
    /// The message needs a capability that was not declared.
    Capability,
    /// The message is invalid under the official JSON Schema.
    Official,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = match self.pointer.as_str() {
            "" => "the message",
            pointer => pointer,
        };
        let Self {
            rule,
            revision,
            message,
            ..
        } = self;
        write!(formatter, "{revision} {rule:?} at {position}: {message}")
    }
}

/// All problems of one message, at least one.
///
/// `Debug` prints one per line, for readable `unwrap` failures in tests.
#[derive(Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn into_result(problems: Vec<Problem>) -> Result<(), Self> {
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
