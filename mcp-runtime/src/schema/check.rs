//! An instance checked against a schema, with every violation told at once.
//!
//! The vocabulary is what the normaliser emits and what schemas written by
//! hand commonly use; [`unsupported()`] names what is not understood.
//! A `format` is an annotation (2020-12 validation, §7.2.1).
//! Both the depth and the work are bounded, whatever the schema says.

mod array;
mod assertion;
mod object;
mod union;
mod unsupported;

pub(crate) use union::fitting;
pub(crate) use unsupported::unsupported;

use super::keyword::{push_token, target};
use super::violation::Violation;
use super::{Keywords, describe};
use serde_json::{Value, json};
use std::cell::Cell;

/// Deeper than any JSON text may nest, times the schemas for one value.
const DEEPEST: usize = 400;

/// Steps after which a check is given up, far beyond any honest call; so many
/// for each value of the instance, and so many whatever its size.
const STEPS_PER_VALUE: usize = 20;
const MOST_STEPS: usize = 500_000;

/// More violations than this help nobody.
const MOST_VIOLATIONS: usize = 100;

/// All the ways in which `instance` misses `schema`; none if it is valid.
pub(crate) fn check(schema: &Value, instance: &Value) -> Vec<Violation> {
    let mut check = Check::new(schema, most_steps(instance));
    check.at(schema, instance);
    if check.gave_up {
        return vec![Violation::mismatch("", TOO_MUCH.to_owned(), instance)];
    }
    check.found
}

const TOO_MUCH: &str = "a value that is less deep or less large";

/// Whether `instance` is valid, where references in `schema` point into `root`.
pub(crate) fn is_valid(root: &Value, schema: &Value, instance: &Value) -> bool {
    Validity::new(root, instance).holds(schema, instance)
}

/// Many questions about one document, which share one bound on their work.
pub(crate) struct Validity<'a> {
    root: &'a Value,
    steps: Cell<usize>,
    most_steps: usize,
}

impl<'a> Validity<'a> {
    /// For an instance and what may be made of it.
    pub(crate) fn new(root: &'a Value, instance: &Value) -> Self {
        Self {
            root,
            steps: Cell::new(0),
            most_steps: most_steps(instance),
        }
    }

    /// Whether `instance` is valid; not, once the work was too much.
    pub(crate) fn holds(&self, schema: &Value, instance: &Value) -> bool {
        let mut check = Check::new(self.root, self.most_steps);
        check.steps = self.steps.get();
        let accepted = check.accepts(schema, instance);
        self.steps.set(check.steps);
        accepted && !check.gave_up
    }
}

fn most_steps(instance: &Value) -> usize {
    fn size(value: &Value) -> usize {
        match value {
            Value::Array(items) => items.iter().map(size).sum::<usize>() + 1,
            Value::Object(members) => members.values().map(size).sum::<usize>() + 1,
            _ => 1,
        }
    }
    size(instance)
        .saturating_mul(STEPS_PER_VALUE)
        .saturating_add(MOST_STEPS)
}

struct Check<'a> {
    root: &'a Value,
    /// Where in the instance the check is.
    pointer: String,
    found: Vec<Violation>,
    refused: bool,
    /// Whether the first refusal is all that is asked for.
    verdict_only: bool,
    depth: usize,
    steps: usize,
    most_steps: usize,
    /// Then no answer counts, not even that of a `not`.
    gave_up: bool,
}

impl<'a> Check<'a> {
    fn new(root: &'a Value, most_steps: usize) -> Self {
        Self {
            root,
            pointer: String::new(),
            found: Vec::new(),
            refused: false,
            verdict_only: false,
            depth: 0,
            steps: 0,
            most_steps,
            gave_up: false,
        }
    }

    fn at(&mut self, schema: &Value, instance: &Value) {
        if self.verdict_only && self.refused {
            return;
        }
        if self.exhausted() {
            self.refused = true;
            return;
        }
        match schema {
            Value::Object(keywords) => {
                self.depth += 1;
                self.keywords(keywords, schema, instance);
                self.depth -= 1;
            }
            Value::Bool(false) => self.mismatch(instance, |_| "nothing".to_owned()),
            // Anything else is no schema and refuses nothing.
            _ => {}
        }
    }

    /// Counts one step; true once there are too many, or too many nested.
    fn exhausted(&mut self) -> bool {
        self.steps += 1;
        self.gave_up |= self.depth >= DEEPEST || self.steps >= self.most_steps;
        self.gave_up
    }

    /// Checks a value one step further into the instance.
    fn below(&mut self, token: &str, schema: &Value, instance: &Value) {
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        self.at(schema, instance);
        self.pointer.truncate(length);
    }

    fn pointer_to(&self, member: &str) -> String {
        let mut pointer = self.pointer.clone();
        push_token(&mut pointer, member);
        pointer
    }

    /// Whether `schema` alone accepts the instance at this place.
    fn accepts(&mut self, schema: &Value, instance: &Value) -> bool {
        let outer = (self.verdict_only, self.refused);
        (self.verdict_only, self.refused) = (true, false);
        self.at(schema, instance);
        let accepted = !self.refused;
        (self.verdict_only, self.refused) = outer;
        accepted
    }

    fn keywords(&mut self, keywords: &Keywords, schema: &Value, instance: &Value) {
        if let Err(failed) = assertion::check(keywords, instance) {
            return self
                .refuse(|check| failed.violation(check.root, &check.pointer, schema, instance));
        }
        match instance {
            Value::Object(members) => self.object(keywords, members),
            Value::Array(items) => self.array(keywords, schema, items, instance),
            _ => {}
        }
        for (keyword, value) in keywords {
            self.applicator(schema, keyword, value, instance);
        }
    }

    /// A keyword that applies further schemas to the same instance.
    fn applicator(&mut self, schema: &Value, keyword: &str, value: &Value, instance: &Value) {
        match (keyword, value) {
            ("$ref", Value::String(reference)) => {
                if let Some(target) = target(self.root, reference) {
                    self.at(target, instance);
                }
            }
            ("allOf", Value::Array(branches)) => {
                branches.iter().for_each(|branch| self.at(branch, instance));
            }
            ("anyOf", Value::Array(branches)) => self.any_of(branches, instance),
            ("oneOf", Value::Array(branches)) => self.one_of(branches, instance),
            ("not", refused) if self.accepts(refused, instance) => {
                self.mismatch(instance, |root| {
                    describe::expectation(root, &json!({"not": refused}))
                });
            }
            ("if", condition) => {
                let holds = self.accepts(condition, instance);
                if let Some(then) = schema.get(if holds { "then" } else { "else" }) {
                    self.at(then, instance);
                }
            }
            ("dependentSchemas", Value::Object(dependent)) => {
                let present = |(name, _): &(&String, _)| instance.get(name.as_str()).is_some();
                dependent
                    .iter()
                    .filter(present)
                    .for_each(|(_, schema)| self.at(schema, instance));
            }
            ("unevaluatedProperties", closing) => {
                self.unevaluated_properties(schema, closing, instance);
            }
            _ => {}
        }
    }

    fn mismatch(&mut self, instance: &Value, expected: impl FnOnce(&Value) -> String) {
        self.refuse(|check| Violation::mismatch(&check.pointer, expected(check.root), instance));
    }

    /// Nothing is put into words when only the verdict counts.
    fn refuse(&mut self, violation: impl FnOnce(&Self) -> Violation) {
        self.refused = true;
        if self.verdict_only || self.found.len() > MOST_VIOLATIONS {
            return;
        }
        let violation = violation(self);
        if !self.found.contains(&violation) {
            self.found.push(violation);
        }
    }
}
