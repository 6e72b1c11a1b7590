//! What is wrong with an instance, in words that a model can act on.

use serde_json::Value;

/// One way in which an instance misses its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// A JSON Pointer to where in the instance it is; empty for the whole.
    pub(crate) pointer: String,
    pub(crate) problem: Problem,
    /// How it is probably put right, as a clause without a full stop.
    pub(crate) hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// `expected` names a kind of value ("an integer"), `got` the value.
    Mismatch { expected: String, got: String },
    /// The type refuses what its schema allows; the hint is its reason.
    Rejected { got: String },
    /// A value that must be there is absent.
    Missing { expected: String },
    /// There is no property of that name.
    Unknown,
}

impl Violation {
    pub(crate) fn mismatch(pointer: &str, expected: String, got: &Value) -> Self {
        let got = super::describe::received(got);
        Self {
            pointer: pointer.to_owned(),
            problem: Problem::Mismatch { expected, got },
            hint: None,
        }
    }

    /// A value that fits the schema and that its type refuses all the same.
    pub(crate) fn rejected(pointer: String, got: &Value, reason: &str) -> Self {
        let got = super::describe::received(got);
        Self {
            pointer,
            problem: Problem::Rejected { got },
            hint: Some(reason.to_owned()),
        }
    }

    pub(crate) fn missing(pointer: String, expected: String) -> Self {
        Self {
            pointer,
            problem: Problem::Missing { expected },
            hint: None,
        }
    }

    pub(crate) fn unknown(pointer: String, hint: Option<String>) -> Self {
        Self {
            pointer,
            problem: Problem::Unknown,
            hint,
        }
    }
}
