//! The keywords about an object's members.

use super::Check;
use crate::schema::keyword::{list, named, required, target};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, describe, pattern};
use crate::text::nearest;
use serde_json::Value;
use std::collections::BTreeSet;

/// So many names are listed where no near one is known.
const LISTED: usize = 12;

impl Check<'_> {
    pub(super) fn object(&mut self, keywords: &Keywords, members: &Keywords) {
        self.required(keywords, members);
        let (mut properties, mut patterns, mut rest, mut names) = (None, None, None, None);
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "properties" => properties = value.as_object(),
                "patternProperties" => patterns = value.as_object(),
                "additionalProperties" => rest = Some(value),
                "propertyNames" => names = Some(value),
                "dependentRequired" => self.dependent_required(keywords, value, members),
                _ => {}
            }
        }
        for (name, value) in members {
            if let Some(names) = names {
                self.name(names, name);
            }
            let mut known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                known = true;
                self.below(name, schema, value);
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                if pattern::matches(pattern, name) == Some(true) {
                    known = true;
                    self.below(name, schema, value);
                }
            }
            match rest {
                Some(Value::Bool(false)) if !known => self.unknown(keywords, name),
                Some(schema) if !known => self.below(name, schema, value),
                _ => {}
            }
        }
    }

    fn required(&mut self, keywords: &Keywords, members: &Keywords) {
        for name in required(keywords).filter(|name| !members.contains_key(*name)) {
            self.missing(keywords, name);
        }
    }

    fn missing(&mut self, keywords: &Keywords, name: &str) {
        let schema = named(keywords, "properties").and_then(|properties| properties.get(name));
        self.refuse(|check| {
            let expected = schema.map_or_else(
                || "any value".to_owned(),
                |schema| describe::with_description(check.root, schema),
            );
            Violation::missing(check.pointer_to(name), expected)
        });
    }

    fn unknown(&mut self, keywords: &Keywords, name: &str) {
        self.refuse(|check| {
            Violation::unknown(check.pointer_to(name), Some(known_names(keywords, name)))
        });
    }

    fn name(&mut self, names: &Value, name: &str) {
        let instance = Value::from(name);
        if !self.accepts(names, &instance) {
            self.refuse(|check| {
                let expected = describe::exactly(check.root, names);
                let expected = format!("a property name that is {expected}");
                Violation::mismatch(&check.pointer_to(name), expected, &instance)
            });
        }
    }

    fn dependent_required(&mut self, keywords: &Keywords, dependent: &Value, members: &Keywords) {
        let dependent = dependent.as_object().into_iter().flatten();
        for (_, needed) in dependent.filter(|(name, _)| members.contains_key(*name)) {
            let needed = needed
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            for needed in needed.filter(|needed| !members.contains_key(*needed)) {
                self.missing(keywords, needed);
            }
        }
    }

    /// Members that no neighbouring keyword has looked at (2020-12 core, §11.3).
    pub(super) fn unevaluated_properties(
        &mut self,
        schema: &Value,
        closing: &Value,
        instance: &Value,
    ) {
        let Value::Object(members) = instance else {
            return;
        };
        let mut evaluated = BTreeSet::new();
        self.evaluate(schema, members, instance, &mut evaluated);
        let open = members
            .iter()
            .filter(|(name, _)| !evaluated.contains(name.as_str()));
        for (name, value) in open {
            match closing {
                Value::Bool(false) => {
                    self.refuse(|check| Violation::unknown(check.pointer_to(name), None));
                }
                schema => self.below(name, schema, value),
            }
        }
    }

    fn evaluate<'i>(
        &mut self,
        schema: &Value,
        members: &'i Keywords,
        instance: &Value,
        evaluated: &mut BTreeSet<&'i str>,
    ) {
        let Value::Object(keywords) = schema else {
            return;
        };
        if self.exhausted() {
            return;
        }
        self.depth += 1;
        for name in members.keys().filter(|name| looks_at(keywords, name)) {
            evaluated.insert(name);
        }
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|reference| target(self.root, reference)) {
            self.evaluate(target, members, instance, evaluated);
        }
        for branch in self.in_place(keywords, members, instance) {
            self.evaluate(branch, members, instance, evaluated);
        }
        self.depth -= 1;
    }

    /// The schemas that hold for the same instance and accept it.
    fn in_place<'k>(
        &mut self,
        keywords: &'k Keywords,
        members: &Keywords,
        instance: &Value,
    ) -> Vec<&'k Value> {
        let mut schemas = Vec::new();
        for combination in ["allOf", "anyOf", "oneOf"] {
            schemas.extend(list(keywords, combination));
        }
        let dependent = named(keywords, "dependentSchemas").into_iter().flatten();
        schemas.extend(
            dependent
                .filter(|(name, _)| members.contains_key(*name))
                .map(|(_, it)| it),
        );
        if let Some(condition) = keywords.get("if") {
            let holds = self.accepts(condition, instance);
            schemas.extend(holds.then_some(condition));
            schemas.extend(keywords.get(if holds { "then" } else { "else" }));
        }
        schemas.retain(|schema| self.accepts(schema, instance));
        schemas
    }
}

/// The name that was probably meant, else those that there are.
fn known_names(keywords: &Keywords, unknown: &str) -> String {
    let names = named(keywords, "properties")
        .into_iter()
        .flat_map(Keywords::keys);
    let known: Vec<&str> = names.map(String::as_str).collect();
    if known.is_empty() {
        return "there are none".to_owned();
    }
    if let Some(near) = nearest(unknown, known.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    let quoted: Vec<String> = known
        .iter()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if known.len() > LISTED { ", …" } else { "" };
    format!("known are {}{more}", quoted.join(", "))
}

fn looks_at(keywords: &Keywords, name: &str) -> bool {
    let matched = |patterns: &Keywords| {
        patterns
            .keys()
            .any(|pattern| pattern::matches(pattern, name) == Some(true))
    };
    keywords.contains_key("additionalProperties")
        || named(keywords, "properties").is_some_and(|named| named.contains_key(name))
        || named(keywords, "patternProperties").is_some_and(matched)
}
