//! Checks an instance against a schema and reports all violations.
//!
//! It supports the keywords of normalized schemas and the common keywords of custom schemas.
//! [`unsupported_keywords()`] lists all other keywords. A `format` is an annotation (2020-12
//! validation, §7.2.1). The depth and the number of steps of a check are limited.

mod array;
mod assertion;
mod object;
mod union;
mod unsupported;

pub(crate) use union::matching_branch;
pub(crate) use unsupported::unsupported_keywords;

use super::keyword::{push_token, resolve_reference};
use super::violation::Violation;
use super::{Keywords, human_readable};
use serde_json::{Value, json};
use std::cell::Cell;

/// The maximum depth of nested schemas. It exceeds the depth of any accepted JSON text, multiplied
/// by the usual number of schemas for one value.
const MAX_DEPTH: usize = 400;

/// The number of steps that are allowed for each value of the instance. A valid call needs far
/// fewer steps.
const STEPS_PER_VALUE: usize = 20;

/// The number of additional steps that are allowed for an instance of any size.
const BASE_STEPS: usize = 500_000;

/// The maximum number of violations that are recorded.
const MAX_VIOLATIONS: usize = 100;

/// Returns all violations of `schema` by `instance`. The list is empty if the instance is valid.
pub(crate) fn check(schema: &Value, instance: &Value) -> Vec<Violation> {
    let mut checker = Checker::new(schema, max_steps(instance));
    checker.check_value(schema, instance);
    if checker.limit_exceeded {
        return vec![Violation::mismatch("", TOO_LARGE.to_owned(), instance)];
    }
    checker.found
}

/// The description of the expected value if a limit is exceeded.
const TOO_LARGE: &str = "a smaller or less deeply nested value";

/// Whether `instance` matches `schema`. References in the schema point into `root`.
pub(crate) fn is_valid(root: &Value, schema: &Value, instance: &Value) -> bool {
    BudgetedValidator::new(root, instance).is_valid(schema, instance)
}

/// A validator for several instances and the schemas of one document, with a common limit on the
/// steps.
pub(crate) struct BudgetedValidator<'a> {
    root: &'a Value,
    steps: Cell<usize>,
    max_steps: usize,
}

impl<'a> BudgetedValidator<'a> {
    /// Creates a validator whose step limit depends on the size of `instance`.
    pub(crate) fn new(root: &'a Value, instance: &Value) -> Self {
        Self {
            root,
            steps: Cell::new(0),
            max_steps: max_steps(instance),
        }
    }

    /// Whether `instance` matches `schema`. Returns `false` after the step limit is exceeded.
    pub(crate) fn is_valid(&self, schema: &Value, instance: &Value) -> bool {
        let mut checker = Checker::new(self.root, self.max_steps);
        checker.steps = self.steps.get();
        let accepted = checker.accepts(schema, instance);
        self.steps.set(checker.steps);
        accepted && !checker.limit_exceeded
    }
}

fn max_steps(instance: &Value) -> usize {
    fn size(value: &Value) -> usize {
        match value {
            Value::Array(items) => items.iter().map(size).sum::<usize>() + 1,
            Value::Object(members) => members.values().map(size).sum::<usize>() + 1,
            _ => 1,
        }
    }
    size(instance)
        .saturating_mul(STEPS_PER_VALUE)
        .saturating_add(BASE_STEPS)
}

struct Checker<'a> {
    root: &'a Value,
    /// The JSON Pointer to the value that is being checked.
    pointer: String,
    found: Vec<Violation>,
    rejected: bool,
    /// Whether the check stops at the first violation and does not record it.
    stop_at_first: bool,
    depth: usize,
    steps: usize,
    max_steps: usize,
    /// Whether the depth or step limit was exceeded. If so, the result of the check is not valid,
    /// even for the negated schema of a `not`.
    limit_exceeded: bool,
}

impl<'a> Checker<'a> {
    fn new(root: &'a Value, max_steps: usize) -> Self {
        Self {
            root,
            pointer: String::new(),
            found: Vec::new(),
            rejected: false,
            stop_at_first: false,
            depth: 0,
            steps: 0,
            max_steps,
            limit_exceeded: false,
        }
    }

    fn check_value(&mut self, schema: &Value, instance: &Value) {
        if self.stop_at_first && self.rejected {
            return;
        }
        if self.count_step() {
            self.rejected = true;
            return;
        }
        match schema {
            Value::Object(keywords) => {
                self.depth += 1;
                self.check_keywords(keywords, schema, instance);
                self.depth -= 1;
            }
            Value::Bool(false) => self.reject_mismatch(instance, |_| "nothing".to_owned()),
            // The schema `true` and values that are not schemas accept every instance.
            _ => {}
        }
    }

    /// Counts one step. Returns whether the step limit or the depth limit is exceeded.
    fn count_step(&mut self) -> bool {
        self.steps += 1;
        self.limit_exceeded |= self.depth >= MAX_DEPTH || self.steps >= self.max_steps;
        self.limit_exceeded
    }

    /// Checks a member or item of the current value.
    fn check_child(&mut self, token: &str, schema: &Value, instance: &Value) {
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        self.check_value(schema, instance);
        self.pointer.truncate(length);
    }

    fn pointer_to(&self, member: &str) -> String {
        let mut pointer = self.pointer.clone();
        push_token(&mut pointer, member);
        pointer
    }

    /// Checks whether `schema` accepts the instance, without recording violations.
    fn accepts(&mut self, schema: &Value, instance: &Value) -> bool {
        let outer = (self.stop_at_first, self.rejected);
        (self.stop_at_first, self.rejected) = (true, false);
        self.check_value(schema, instance);
        let accepted = !self.rejected;
        (self.stop_at_first, self.rejected) = outer;
        accepted
    }

    fn check_keywords(&mut self, keywords: &Keywords, schema: &Value, instance: &Value) {
        if let Err(kind) = assertion::check(keywords, instance) {
            return self.reject(|checker| {
                kind.violation(checker.root, &checker.pointer, schema, instance)
            });
        }
        match instance {
            Value::Object(members) => self.check_object(keywords, members),
            Value::Array(items) => self.check_array(keywords, schema, items, instance),
            _ => {}
        }
        for (keyword, value) in keywords {
            self.check_applicator(schema, keyword, value, instance);
        }
    }

    /// Checks a keyword whose subschemas apply to the same instance.
    fn check_applicator(&mut self, schema: &Value, keyword: &str, value: &Value, instance: &Value) {
        match (keyword, value) {
            ("$ref", Value::String(reference)) => {
                if let Some(target) = resolve_reference(self.root, reference) {
                    self.check_value(target, instance);
                }
            }
            ("allOf", Value::Array(branches)) => {
                branches
                    .iter()
                    .for_each(|branch| self.check_value(branch, instance));
            }
            ("anyOf", Value::Array(branches)) => self.check_any_of(branches, instance),
            ("oneOf", Value::Array(branches)) => self.check_one_of(branches, instance),
            ("not", negated) if self.accepts(negated, instance) => {
                self.reject_mismatch(instance, |root| {
                    human_readable::describe_schema(root, &json!({"not": negated}))
                });
            }
            ("if", condition) => {
                let holds = self.accepts(condition, instance);
                if let Some(then) = schema.get(if holds { "then" } else { "else" }) {
                    self.check_value(then, instance);
                }
            }
            ("dependentSchemas", Value::Object(dependent)) => {
                let present = |(name, _): &(&String, _)| instance.get(name.as_str()).is_some();
                dependent
                    .iter()
                    .filter(present)
                    .for_each(|(_, schema)| self.check_value(schema, instance));
            }
            ("unevaluatedProperties", subschema) => {
                self.check_unevaluated_properties(schema, subschema, instance);
            }
            _ => {}
        }
    }

    fn reject_mismatch(&mut self, instance: &Value, expected: impl FnOnce(&Value) -> String) {
        self.reject(|checker| {
            Violation::mismatch(&checker.pointer, expected(checker.root), instance)
        });
    }

    /// Rejects the instance. The violation is built only if it is recorded.
    fn reject(&mut self, violation: impl FnOnce(&Self) -> Violation) {
        self.rejected = true;
        if self.stop_at_first || self.found.len() > MAX_VIOLATIONS {
            return;
        }
        let violation = violation(self);
        if !self.found.contains(&violation) {
            self.found.push(violation);
        }
    }
}
