//! Coerces arguments without loss if their JSON type is not the type in the schema, such as `"2"`
//! for the integer 2. Models and MCP hosts often send such values.
//!
//! A string is not changed if the schema accepts a string.

mod scalar;
#[cfg(test)]
mod tests;

use super::unique_members::{self, DUPLICATE};
use crate::jsonrpc::Members;
use crate::schema::{
    BudgetedValidator, Keywords, Problem, Violation, matches_pattern, matching_branch, push_token,
    required_names, resolve_reference, subschemas,
};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

/// The maximum depth of nested values. Values at a greater depth are not coerced.
const MAX_DEPTH: usize = 200;

/// The maximum number of coercions of one call that are recorded.
const MAX_RECORDED: usize = 64;

/// The maximum number of alternatives of `anyOf` and `oneOf` that are tried for one call.
const MAX_ATTEMPTS: usize = 500;

/// The arguments after coercion, and the list of the coercions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CoercedArguments {
    pub(crate) arguments: Value,
    pub(crate) coercions: Vec<Coercion>,
}

/// The replacement of one value by a value of another type with the same meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Coercion {
    /// The JSON Pointer to the value in the arguments.
    pub(crate) pointer: String,
    /// The JSON type of the value that was sent.
    pub(crate) from: &'static str,
    /// The JSON type of the value after coercion, or `absent`.
    pub(crate) to: &'static str,
}

impl fmt::Display for Coercion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, from, to } = self;
        write!(formatter, "{pointer}: {from} as {to}")
    }
}

/// Coerces every value to the type in the schema if this loses no information.
///
/// The only change to valid arguments is that a number such as `2.0` can become the integer `2`.
pub(crate) fn coerce(schema: &Value, arguments: Value) -> CoercedArguments {
    let budget = SearchBudget {
        validator: BudgetedValidator::new(schema, &arguments),
        attempts: Cell::new(MAX_ATTEMPTS),
    };
    let mut coercer = Coercer::new(schema, &budget);
    let arguments = coercer.value(schema, arguments);
    CoercedArguments {
        arguments,
        coercions: coercer.coercions,
    }
}

/// Parses the `arguments` of a call as an object.
///
/// Returns an empty object for missing arguments and for `null`, and also for `[]` if the tool has
/// no arguments. An object that was sent as a JSON string is parsed.
///
/// # Errors
/// Returns a violation if the arguments are not an object.
pub(crate) fn parse_arguments(
    raw: Option<&str>,
    schema: &Value,
) -> Result<Map<String, Value>, Violation> {
    let Some(raw) = raw else {
        return Ok(Map::new());
    };
    let Ok(value) = unique_members::parse(raw) else {
        return Err(unparsable(raw));
    };
    let nested = match value.as_str().map(unique_members::parse) {
        Some(Err(error)) if error.to_string().starts_with(DUPLICATE) => {
            return Err(unparsable(value.as_str().unwrap_or_default()));
        }
        nested => nested.and_then(Result::ok),
    };
    match nested.filter(Value::is_object).unwrap_or(value) {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(Map::new()),
        Value::Array(items) if items.is_empty() && has_no_properties(schema) => Ok(Map::new()),
        other => Err(Violation::mismatch("", "an object".to_owned(), &other)),
    }
}

/// Returns a violation that names the argument that cannot be parsed. The JSON of a message is well
/// formed, but it can be nested too deeply, contain a number or a string that Rust cannot
/// represent, or contain two members of the same name.
fn unparsable(raw: &str) -> Violation {
    let mut names = BTreeSet::new();
    let broken = Members::of(raw).find_map(|(name, value)| {
        if !names.insert(name.clone()) {
            return Some((name, DUPLICATE.to_owned()));
        }
        let error = unique_members::parse(value).err()?;
        Some((name, error.to_string()))
    });
    let mut pointer = String::new();
    let reason = match &broken {
        Some((name, error)) => {
            push_token(&mut pointer, name);
            error.as_str()
        }
        None => "",
    };
    let (expected, got) = if reason.contains("surrogate") || reason.contains("hex escape") {
        (
            "valid Unicode",
            "an unpaired surrogate such as `\\ud83d`; escape both halves or send the character itself",
        )
    } else if reason.starts_with(DUPLICATE) {
        ("each member once", "two members of the same name")
    } else if reason.contains("out of range") {
        ("a number of at most 1.8e308", "a larger one")
    } else if reason.contains("recursion") {
        ("a flatter value", "one that is nested too deeply")
    } else {
        ("an object", "JSON that cannot be read")
    };
    Violation {
        pointer,
        problem: Problem::Mismatch {
            expected: expected.to_owned(),
            got: got.to_owned(),
        },
        hint: None,
    }
}

fn has_no_properties(schema: &Value) -> bool {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .is_none_or(Map::is_empty)
}

/// A limit on the search through nested alternatives, which could take exponential time.
struct SearchBudget<'a> {
    validator: BudgetedValidator<'a>,
    attempts: Cell<usize>,
}

/// The state of coercing one value and the values in it.
struct Coercer<'a> {
    root: &'a Value,
    pointer: String,
    coercions: Vec<Coercion>,
    depth: usize,
    budget: &'a SearchBudget<'a>,
}

impl<'a> Coercer<'a> {
    fn new(root: &'a Value, budget: &'a SearchBudget<'a>) -> Self {
        Self {
            root,
            pointer: String::new(),
            coercions: Vec::new(),
            depth: 0,
            budget,
        }
    }

    fn value(&mut self, schema: &Value, value: Value) -> Value {
        let Value::Object(keywords) = schema else {
            return value;
        };
        if self.depth >= MAX_DEPTH {
            return value;
        }
        self.depth += 1;
        let value = match scalar::coerce(keywords, &value) {
            Some(coerced) => self.replace(&value, coerced),
            None => value,
        };
        let value = match value {
            Value::Object(members) => Value::Object(self.members(keywords, members)),
            Value::Array(items) => Value::Array(self.items(keywords, items)),
            scalar => scalar,
        };
        let value = self.subschemas(keywords, value);
        self.depth -= 1;
        value
    }

    /// Coerces the value to the schemas in `$ref`, `allOf`, `anyOf` and `oneOf`.
    fn subschemas(&mut self, keywords: &Keywords, mut value: Value) -> Value {
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) =
            reference.and_then(|reference| resolve_reference(self.root, reference))
        {
            value = self.value(target, value);
        }
        for branch in keywords
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            value = self.value(branch, value);
        }
        for combination in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = keywords.get(combination) {
                value = self.union(branches, value);
            }
        }
        value
    }

    fn members(&mut self, keywords: &Keywords, members: Map<String, Value>) -> Map<String, Value> {
        let mut coerced = Map::new();
        for (name, value) in members {
            let declared = member(keywords, &name);
            let optional = is_optional(keywords, &name);
            let length = self.enter(&name);
            match declared {
                Some(schema) if optional && self.is_null_for_absent(schema, &value) => {
                    self.record("null", "absent");
                }
                Some(schema) => {
                    let value = self.value(schema, value);
                    coerced.insert(name, value);
                }
                None => {
                    coerced.insert(name, value);
                }
            }
            self.pointer.truncate(length);
        }
        coerced
    }

    /// Whether the value is a `null` that the schema does not accept. Such a `null` means that the
    /// argument is absent.
    fn is_null_for_absent(&self, schema: &Value, value: &Value) -> bool {
        value.is_null() && !self.budget.validator.is_valid(schema, value)
    }

    fn items(&mut self, keywords: &Keywords, items: Vec<Value>) -> Vec<Value> {
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let rest = keywords.get("items");
        let mut coerced = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let length = self.enter(&index.to_string());
            coerced.push(match prefix.and_then(|prefix| prefix.get(index)).or(rest) {
                Some(schema) => self.value(schema, item),
                None => item,
            });
            self.pointer.truncate(length);
        }
        coerced
    }

    /// Coerces a value if it fits one alternative only. A value that fits several alternatives is
    /// not changed.
    fn union(&mut self, branches: &[Value], value: Value) -> Value {
        let (root, budget) = (self.root, self.budget);
        if let Some(branch) = matching_branch(root, branches, &value) {
            return self.value(branch, value);
        }
        if let Some(branch) = branches
            .iter()
            .find(|branch| budget.validator.is_valid(branch, &value))
        {
            return self.value(branch, value);
        }
        if value.is_string()
            && branches
                .iter()
                .any(|branch| scalar::accepts_string(root, branch))
        {
            return value;
        }
        let mut attempts = branches.iter().filter_map(|branch| {
            budget.attempts.set(budget.attempts.get().checked_sub(1)?);
            let coerced = self.attempt(branch, value.clone());
            budget
                .validator
                .is_valid(branch, &coerced.arguments)
                .then_some(coerced)
        });
        match (attempts.next(), attempts.next()) {
            (Some(only), None) => {
                self.coercions.extend(only.coercions);
                only.arguments
            }
            _ => value,
        }
    }

    fn attempt(&self, schema: &Value, value: Value) -> CoercedArguments {
        let mut coercer = Coercer::new(self.root, self.budget);
        coercer.pointer.clone_from(&self.pointer);
        coercer.depth = self.depth;
        let arguments = coercer.value(schema, value);
        CoercedArguments {
            arguments,
            coercions: coercer.coercions,
        }
    }

    fn enter(&mut self, token: &str) -> usize {
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        length
    }

    fn replace(&mut self, from: &Value, to: Value) -> Value {
        self.record(scalar::kind(from), scalar::kind(&to));
        to
    }

    fn record(&mut self, from: &'static str, to: &'static str) {
        if self.coercions.len() >= MAX_RECORDED {
            return;
        }
        self.coercions.push(Coercion {
            pointer: self.pointer.clone(),
            from,
            to,
        });
    }
}

/// Returns the schema of one member of an object.
fn member<'s>(keywords: &'s Keywords, name: &str) -> Option<&'s Value> {
    let property = subschemas(keywords, "properties").and_then(|properties| properties.get(name));
    let mut patterns = subschemas(keywords, "patternProperties")
        .into_iter()
        .flatten();
    property
        .or_else(|| {
            let matching =
                patterns.find(|(pattern, _)| matches_pattern(pattern, name) == Some(true));
            matching.map(|(_, schema)| schema)
        })
        .or_else(|| keywords.get("additionalProperties"))
}

fn is_optional(keywords: &Keywords, name: &str) -> bool {
    let known = subschemas(keywords, "properties").is_some_and(|names| names.contains_key(name));
    known && !required_names(keywords).any(|required| required == name)
}
