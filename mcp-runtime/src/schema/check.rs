//! An instance checked against a schema, with every violation told at once.
//!
//! The vocabulary is what the normaliser emits and what schemas written by
//! hand commonly use; [`unsupported`] names what is not understood.
//! A `format` is an annotation (2020-12 validation, §7.2.1).
//! Both the depth and the work are bounded, whatever the schema says.

mod array;
mod assertion;
mod object;
mod union;
#[cfg(test)]
mod unsupported;

pub(crate) use union::fitting;
#[cfg(test)]
pub(crate) use unsupported::unsupported;

use super::keyword::target;
use super::violation::Violation;
use super::{Keywords, describe};
use serde_json::{Value, json};
use std::cell::Cell;

/// Deeper than any JSON text may nest, times the schemas for one value.
const DEEPEST: usize = 400;

/// Steps after which a check is given up, far beyond any honest call.
const MOST_STEPS: usize = 500_000;

const TOO_MUCH: &str = "a value that is less deep or less large";

/// More violations than this help nobody.
const MOST_VIOLATIONS: usize = 100;

/// All the ways in which `instance` misses `schema`; none if it is valid.
pub(crate) fn check(schema: &Value, instance: &Value) -> Vec<Violation> {
    check_part(schema, schema, instance)
}

/// As [`check`], where references in `schema` point into `root`.
pub(crate) fn check_part(root: &Value, schema: &Value, instance: &Value) -> Vec<Violation> {
    let mut check = Check::new(root);
    check.at(schema, instance);
    if check.gave_up && check.found.is_empty() {
        check.mismatch(TOO_MUCH.to_owned(), instance);
    }
    check.found
}

pub(crate) fn is_valid(root: &Value, schema: &Value, instance: &Value) -> bool {
    check_part(root, schema, instance).is_empty()
}

/// Many questions about one document, which share one bound on their work.
pub(crate) struct Validity<'a> {
    root: &'a Value,
    steps: Cell<usize>,
}

impl<'a> Validity<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self {
            root,
            steps: Cell::new(0),
        }
    }

    /// Whether `instance` is valid; not, once the work was too much.
    pub(crate) fn holds(&self, schema: &Value, instance: &Value) -> bool {
        let mut check = Check::new(self.root);
        check.steps = self.steps.get();
        check.at(schema, instance);
        self.steps.set(check.steps);
        !check.gave_up && check.found.is_empty()
    }
}

struct Check<'a> {
    root: &'a Value,
    /// Where in the instance the check is.
    pointer: String,
    found: Vec<Violation>,
    depth: usize,
    steps: usize,
    /// Then no answer counts, not even that of a `not`.
    gave_up: bool,
}

impl<'a> Check<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            pointer: String::new(),
            found: Vec::new(),
            depth: 0,
            steps: 0,
            gave_up: false,
        }
    }

    fn at(&mut self, schema: &Value, instance: &Value) {
        self.steps += 1;
        if self.depth >= DEEPEST || self.steps >= MOST_STEPS {
            self.found.truncate(MOST_VIOLATIONS);
            self.mismatch(
                "a value that is less deep and less large".to_owned(),
                instance,
            );
            return;
        }
        match schema {
            Value::Object(keywords) => {
                self.depth += 1;
                self.keywords(keywords, schema, instance);
                self.depth -= 1;
            }
            Value::Bool(false) => self.mismatch("nothing".to_owned(), instance),
            // Anything else is no schema and refuses nothing.
            _ => {}
        }
    }

    /// Counts one step; true once there are too many, or too many nested.
    fn exhausted(&mut self) -> bool {
        self.steps += 1;
        self.gave_up |= self.depth >= DEEPEST || self.steps >= MOST_STEPS;
        self.gave_up
    }

    /// Checks a value one step further into the instance.
    fn below(&mut self, token: &str, schema: &Value, instance: &Value) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&super::keyword::escape(token));
        self.at(schema, instance);
        self.pointer.truncate(length);
    }

    /// What `schema` alone says about the instance at this place.
    fn trial(&mut self, schema: &Value, instance: &Value) -> Vec<Violation> {
        let kept = std::mem::take(&mut self.found);
        self.at(schema, instance);
        std::mem::replace(&mut self.found, kept)
    }

    fn accepts(&mut self, schema: &Value, instance: &Value) -> bool {
        self.trial(schema, instance).is_empty()
    }

    fn keywords(&mut self, keywords: &Keywords, schema: &Value, instance: &Value) {
        if let Err(failed) = assertion::check(keywords, instance) {
            self.push(failed.violation(self.root, &self.pointer, schema, instance));
            return;
        }
        match instance {
            Value::Object(members) => self.object(keywords, members, instance),
            Value::Array(items) => self.array(keywords, schema, items, instance),
            _ => {}
        }
        self.applicators(keywords, schema, instance);
    }

    fn applicators(&mut self, keywords: &Keywords, schema: &Value, instance: &Value) {
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|reference| target(self.root, reference)) {
            self.at(target, instance);
        }
        for branch in keywords
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.at(branch, instance);
        }
        if let Some(Value::Array(branches)) = keywords.get("anyOf") {
            self.any_of(branches, instance);
        }
        if let Some(Value::Array(branches)) = keywords.get("oneOf") {
            self.one_of(branches, instance);
        }
        if let Some(not) = keywords.get("not")
            && self.accepts(not, instance)
        {
            let only_not = json!({"not": not});
            self.mismatch(describe::expectation(self.root, &only_not), instance);
        }
        if let Some(condition) = keywords.get("if") {
            let holds = self.accepts(condition, instance);
            if let Some(then) = keywords.get(if holds { "then" } else { "else" }) {
                self.at(then, instance);
            }
        }
        if let Some(closing) = keywords.get("unevaluatedProperties") {
            self.unevaluated_properties(schema, closing, instance);
        }
    }

    fn mismatch(&mut self, expected: String, instance: &Value) {
        self.push(Violation::mismatch(&self.pointer, expected, instance));
    }

    fn push(&mut self, violation: Violation) {
        if self.found.len() <= MOST_VIOLATIONS && !self.found.contains(&violation) {
            self.found.push(violation);
        }
    }
}
