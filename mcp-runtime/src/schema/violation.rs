//! Describes why an instance does not match its schema, so that a model can correct the instance.

use serde_json::Value;

/// One reason why an instance does not match its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The JSON Pointer to the invalid value in the instance, which is empty for the root.
    pub(crate) pointer: String,
    pub(crate) problem: Problem,
    /// A likely correction, as a clause without a full stop.
    pub(crate) hint: Option<String>,
}

/// The problem that a [`Violation`] reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The value does not match the schema. `expected` describes a valid value, such as "an
    /// integer", and `got` describes the value that was sent.
    Mismatch { expected: String, got: String },
    /// The Rust type rejects a value that its schema allows. The hint of the violation is the
    /// reason.
    Rejected { got: String },
    /// A required value is missing.
    Missing { expected: String },
    /// The schema has no property of this name.
    Unknown,
}

impl Violation {
    pub(crate) fn mismatch(pointer: &str, expected: String, got: &Value) -> Self {
        let got = super::human_readable::describe_value(got);
        Self {
            pointer: pointer.to_owned(),
            problem: Problem::Mismatch { expected, got },
            hint: None,
        }
    }

    /// Creates a violation for a value that matches its schema but is rejected by its Rust type.
    pub(crate) fn rejected(pointer: String, got: &Value, reason: &str) -> Self {
        let got = super::human_readable::describe_value(got);
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
