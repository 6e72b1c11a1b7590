//! Lossless repair of what models and hosts get wrong about types.
//!
//! The schema says what was meant. Whatever may be a string stays as it is.

mod scalar;
#[cfg(test)]
mod tests;

use crate::schema::{
    Keywords, Problem, Validity, Violation, fitting, matches, named, push_token, required, target,
};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::fmt;

/// Deeper than this nothing is repaired.
const DEEPEST: usize = 200;

/// Alternatives tried in vain before the rest stays as it is.
const MOST_TRIALS: usize = 500;

/// Arguments, and what was done to them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Repaired {
    pub(crate) arguments: Value,
    pub(crate) coercions: Vec<Coercion>,
}

/// One value that was read as another one of the same meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Coercion {
    /// A JSON Pointer into the arguments.
    pub(crate) pointer: String,
    /// The JSON type that came.
    pub(crate) from: &'static str,
    /// The JSON type that it became, or `absent`.
    pub(crate) to: &'static str,
}

impl fmt::Display for Coercion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, from, to } = self;
        write!(formatter, "{pointer}: {from} as {to}")
    }
}

/// Reads every value as what the schema declares, where nothing is lost by it.
///
/// A valid instance keeps its meaning: at most a `2.0` becomes the integer `2`.
pub(crate) fn repair(schema: &Value, arguments: Value) -> Repaired {
    let bounds = Bounds {
        validity: Validity::new(schema, &arguments),
        trials: Cell::new(MOST_TRIALS),
    };
    let mut repair = Repair::new(schema, &bounds);
    let arguments = repair.at(schema, arguments);
    Repaired {
        arguments,
        coercions: repair.coercions,
    }
}

/// The argument object of a call, however its absence is written.
///
/// Absent, `null` and `{}` are no arguments; so is `[]` for a tool that takes
/// none. An object sent as a JSON string is that object.
///
/// # Errors
///
/// What came instead of an object.
pub(crate) fn arguments(
    raw: Option<&str>,
    schema: &Value,
) -> Result<Map<String, Value>, Violation> {
    let Some(raw) = raw else {
        return Ok(Map::new());
    };
    let Ok(value) = serde_json::from_str::<Value>(raw) else {
        return Err(unreadable());
    };
    let nested = value
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    match nested.filter(Value::is_object).unwrap_or(value) {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(Map::new()),
        Value::Array(items) if items.is_empty() && takes_none(schema) => Ok(Map::new()),
        other => Err(Violation::mismatch("", "an object".to_owned(), &other)),
    }
}

/// JSON that nests too deeply, or holds a number beyond every bound.
fn unreadable() -> Violation {
    let problem = Problem::Mismatch {
        expected: "an object".to_owned(),
        got: "JSON that cannot be read".to_owned(),
    };
    Violation {
        pointer: String::new(),
        problem,
        hint: None,
    }
}

fn takes_none(schema: &Value) -> bool {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .is_none_or(Map::is_empty)
}

/// Nested alternatives could take exponential time; these end it.
struct Bounds<'a> {
    validity: Validity<'a>,
    trials: Cell<usize>,
}

struct Repair<'a> {
    root: &'a Value,
    pointer: String,
    coercions: Vec<Coercion>,
    depth: usize,
    bounds: &'a Bounds<'a>,
}

impl<'a> Repair<'a> {
    fn new(root: &'a Value, bounds: &'a Bounds<'a>) -> Self {
        Self {
            root,
            pointer: String::new(),
            coercions: Vec::new(),
            depth: 0,
            bounds,
        }
    }

    fn at(&mut self, schema: &Value, value: Value) -> Value {
        let Value::Object(keywords) = schema else {
            return value;
        };
        if self.depth >= DEEPEST {
            return value;
        }
        self.depth += 1;
        let value = match scalar::coerced(keywords, &value) {
            Some(coerced) => self.replace(&value, coerced),
            None => value,
        };
        let value = match value {
            Value::Object(members) => Value::Object(self.members(keywords, members)),
            Value::Array(items) => Value::Array(self.items(keywords, items)),
            scalar => scalar,
        };
        let value = self.in_place(keywords, value);
        self.depth -= 1;
        value
    }

    fn in_place(&mut self, keywords: &Keywords, mut value: Value) -> Value {
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|reference| target(self.root, reference)) {
            value = self.at(target, value);
        }
        for branch in keywords
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            value = self.at(branch, value);
        }
        for combination in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = keywords.get(combination) {
                value = self.union(branches, value);
            }
        }
        value
    }

    fn members(&mut self, keywords: &Keywords, members: Map<String, Value>) -> Map<String, Value> {
        let mut repaired = Map::new();
        for (name, value) in members {
            let declared = member(keywords, &name);
            let optional = is_optional(keywords, &name);
            let length = self.enter(&name);
            match declared {
                Some(schema) if optional && self.says_nothing(schema, &value) => {
                    self.record("null", "absent");
                }
                Some(schema) => {
                    let value = self.at(schema, value);
                    repaired.insert(name, value);
                }
                None => {
                    repaired.insert(name, value);
                }
            }
            self.pointer.truncate(length);
        }
        repaired
    }

    /// A `null` that the schema refuses only says that there is no value.
    fn says_nothing(&self, schema: &Value, value: &Value) -> bool {
        value.is_null() && !self.bounds.validity.holds(schema, value)
    }

    fn items(&mut self, keywords: &Keywords, items: Vec<Value>) -> Vec<Value> {
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let rest = keywords.get("items");
        let mut repaired = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let length = self.enter(&index.to_string());
            repaired.push(match prefix.and_then(|prefix| prefix.get(index)).or(rest) {
                Some(schema) => self.at(schema, item),
                None => item,
            });
            self.pointer.truncate(length);
        }
        repaired
    }

    /// Repairs what was meant for one alternative; what could be meant for
    /// several stays as it is.
    fn union(&mut self, branches: &[Value], value: Value) -> Value {
        let (root, bounds) = (self.root, self.bounds);
        if let Some(branch) = fitting(root, branches, &value) {
            return self.at(branch, value);
        }
        if let Some(branch) = branches
            .iter()
            .find(|branch| bounds.validity.holds(branch, &value))
        {
            return self.at(branch, value);
        }
        if value.is_string()
            && branches
                .iter()
                .any(|branch| scalar::admits_text(root, branch))
        {
            return value;
        }
        let mut repairs = branches.iter().filter_map(|branch| {
            bounds.trials.set(bounds.trials.get().checked_sub(1)?);
            let repaired = self.trial(branch, value.clone());
            bounds
                .validity
                .holds(branch, &repaired.arguments)
                .then_some(repaired)
        });
        match (repairs.next(), repairs.next()) {
            (Some(only), None) => {
                self.coercions.extend(only.coercions);
                only.arguments
            }
            _ => value,
        }
    }

    fn trial(&self, schema: &Value, value: Value) -> Repaired {
        let mut trial = Repair::new(self.root, self.bounds);
        trial.pointer.clone_from(&self.pointer);
        trial.depth = self.depth;
        let arguments = trial.at(schema, value);
        Repaired {
            arguments,
            coercions: trial.coercions,
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
        self.coercions.push(Coercion {
            pointer: self.pointer.clone(),
            from,
            to,
        });
    }
}

/// The schema of one member of an object.
fn member<'s>(keywords: &'s Keywords, name: &str) -> Option<&'s Value> {
    let property = named(keywords, "properties").and_then(|properties| properties.get(name));
    let mut patterns = named(keywords, "patternProperties").into_iter().flatten();
    property
        .or_else(|| {
            let matching = patterns.find(|(pattern, _)| matches(pattern, name) == Some(true));
            matching.map(|(_, schema)| schema)
        })
        .or_else(|| keywords.get("additionalProperties"))
}

fn is_optional(keywords: &Keywords, name: &str) -> bool {
    let known = named(keywords, "properties").is_some_and(|names| names.contains_key(name));
    known && !required(keywords).any(|required| required == name)
}
