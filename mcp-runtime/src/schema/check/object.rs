//! The keywords about an object's members.

use super::Check;
use crate::schema::keyword::{escape, target};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, describe, pattern};
use crate::text::nearest;
use serde_json::Value;
use std::collections::BTreeSet;

/// So many names are listed where no near one is known.
const LISTED: usize = 12;

impl Check<'_> {
    pub(super) fn object(&mut self, keywords: &Keywords, members: &Keywords, instance: &Value) {
        self.required(keywords, members);
        for (name, value) in members {
            if let Some(names) = keywords.get("propertyNames") {
                self.name(names, name);
            }
            self.member(keywords, name, value);
        }
        self.dependent(keywords, members, instance);
    }

    fn required(&mut self, keywords: &Keywords, members: &Keywords) {
        let names = keywords
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        for name in names
            .filter_map(Value::as_str)
            .filter(|name| !members.contains_key(*name))
        {
            self.missing(keywords, name);
        }
    }

    fn missing(&mut self, keywords: &Keywords, name: &str) {
        let schema = keywords
            .get("properties")
            .and_then(|properties| properties.get(name));
        let expected = schema.map_or_else(
            || "any value".to_owned(),
            |schema| describe::with_description(self.root, schema),
        );
        self.push(Violation::missing(
            format!("{}/{}", self.pointer, escape(name)),
            expected,
        ));
    }

    fn member(&mut self, keywords: &Keywords, name: &str, value: &Value) {
        let mut known = false;
        if let Some(schema) = named(keywords, "properties").and_then(|named| named.get(name)) {
            known = true;
            self.below(name, schema, value);
        }
        for (pattern, schema) in named(keywords, "patternProperties").into_iter().flatten() {
            if pattern::matches(pattern, name) == Some(true) {
                known = true;
                self.below(name, schema, value);
            }
        }
        match keywords.get("additionalProperties") {
            Some(Value::Bool(false)) if !known => self.unknown(keywords, name),
            Some(schema) if !known => self.below(name, schema, value),
            _ => {}
        }
    }

    fn unknown(&mut self, keywords: &Keywords, name: &str) {
        let names = named(keywords, "properties")
            .into_iter()
            .flat_map(|named| named.keys());
        let known: Vec<&str> = names.map(String::as_str).collect();
        let hint = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "there are none".to_owned(),
            None => {
                let quoted: Vec<String> = known
                    .iter()
                    .take(LISTED)
                    .map(|name| format!("`{name}`"))
                    .collect();
                let more = if known.len() > LISTED { ", …" } else { "" };
                format!("known are {}{more}", quoted.join(", "))
            }
        };
        let pointer = format!("{}/{}", self.pointer, escape(name));
        self.push(Violation::unknown(pointer, Some(hint)));
    }

    fn name(&mut self, names: &Value, name: &str) {
        let instance = Value::from(name);
        if !self.accepts(names, &instance) {
            let expected = describe::exactly(self.root, names);
            let pointer = format!("{}/{}", self.pointer, escape(name));
            let expected = format!("a property name that is {expected}");
            self.push(Violation::mismatch(&pointer, expected, &instance));
        }
    }

    fn dependent(&mut self, keywords: &Keywords, members: &Keywords, instance: &Value) {
        for (name, needed) in named(keywords, "dependentRequired").into_iter().flatten() {
            let needed = needed
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            for needed in needed.filter(|needed| !members.contains_key(*needed)) {
                if members.contains_key(name) {
                    self.missing(keywords, needed);
                }
            }
        }
        for (name, schema) in named(keywords, "dependentSchemas").into_iter().flatten() {
            if members.contains_key(name) {
                self.at(schema, instance);
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
                    let pointer = format!("{}/{}", self.pointer, escape(name));
                    self.push(Violation::unknown(pointer, None));
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
        for branch in self.in_place(keywords, members, instance) {
            self.evaluate(&branch, members, instance, evaluated);
        }
        self.depth -= 1;
    }

    /// The schemas that hold for the same instance and accept it.
    fn in_place(
        &mut self,
        keywords: &Keywords,
        members: &Keywords,
        instance: &Value,
    ) -> Vec<Value> {
        let mut schemas = Vec::new();
        let reference = keywords.get("$ref").and_then(Value::as_str);
        schemas.extend(reference.and_then(|reference| target(self.root, reference)));
        for combination in ["allOf", "anyOf", "oneOf"] {
            schemas.extend(
                keywords
                    .get(combination)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten(),
            );
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
        schemas.into_iter().cloned().collect()
    }
}

fn named<'k>(keywords: &'k Keywords, keyword: &str) -> Option<&'k Keywords> {
    keywords.get(keyword)?.as_object()
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
