//! Checks the members of an object.

use super::Checker;
use crate::schema::keyword::{array_values, required_names, resolve_reference, subschemas};
use crate::schema::violation::Violation;
use crate::schema::{Keywords, human_readable, pattern};
use crate::text::nearest;
use serde_json::Value;
use std::collections::BTreeSet;

/// The maximum number of known names that a hint lists if no name is similar.
const MAX_LISTED_NAMES: usize = 12;

impl Checker<'_> {
    pub(super) fn check_object(&mut self, keywords: &Keywords, members: &Keywords) {
        self.check_required(keywords, members);
        let (mut properties, mut patterns, mut rest, mut names) = (None, None, None, None);
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "properties" => properties = value.as_object(),
                "patternProperties" => patterns = value.as_object(),
                "additionalProperties" => rest = Some(value),
                "propertyNames" => names = Some(value),
                "dependentRequired" => self.check_dependent_required(keywords, value, members),
                _ => {}
            }
        }
        for (name, value) in members {
            if let Some(names) = names {
                self.check_name(names, name);
            }
            let mut known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                known = true;
                self.check_child(name, schema, value);
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                if pattern::matches_pattern(pattern, name) == Some(true) {
                    known = true;
                    self.check_child(name, schema, value);
                }
            }
            match rest {
                Some(Value::Bool(false)) if !known => self.reject_unknown(keywords, name),
                Some(schema) if !known => self.check_child(name, schema, value),
                _ => {}
            }
        }
    }

    fn check_required(&mut self, keywords: &Keywords, members: &Keywords) {
        for name in required_names(keywords).filter(|name| !members.contains_key(*name)) {
            self.reject_missing(keywords, name);
        }
    }

    fn reject_missing(&mut self, keywords: &Keywords, name: &str) {
        let schema = subschemas(keywords, "properties").and_then(|properties| properties.get(name));
        self.reject(|checker| {
            let expected = schema.map_or_else(
                || "any value".to_owned(),
                |schema| human_readable::describe_schema_with_doc(checker.root, schema),
            );
            Violation::missing(checker.pointer_to(name), expected)
        });
    }

    fn reject_unknown(&mut self, keywords: &Keywords, name: &str) {
        self.reject(|checker| {
            Violation::unknown(checker.pointer_to(name), Some(known_names(keywords, name)))
        });
    }

    fn check_name(&mut self, names: &Value, name: &str) {
        let instance = Value::from(name);
        if !self.accepts(names, &instance) {
            self.reject(|checker| {
                let expected = human_readable::describe_schema_with_widths(checker.root, names);
                let expected = format!("a property name that is {expected}");
                Violation::mismatch(&checker.pointer_to(name), expected, &instance)
            });
        }
    }

    fn check_dependent_required(
        &mut self,
        keywords: &Keywords,
        dependent: &Value,
        members: &Keywords,
    ) {
        let dependent = dependent.as_object().into_iter().flatten();
        for (_, required) in dependent.filter(|(name, _)| members.contains_key(*name)) {
            let required = required
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            for required in required.filter(|required| !members.contains_key(*required)) {
                self.reject_missing(keywords, required);
            }
        }
    }

    /// Checks the members that no adjacent keyword has evaluated (2020-12 core, §11.3).
    pub(super) fn check_unevaluated_properties(
        &mut self,
        schema: &Value,
        subschema: &Value,
        instance: &Value,
    ) {
        let Value::Object(members) = instance else {
            return;
        };
        let mut evaluated = BTreeSet::new();
        self.collect_evaluated(schema, members, instance, &mut evaluated);
        let unevaluated = members
            .iter()
            .filter(|(name, _)| !evaluated.contains(name.as_str()));
        for (name, value) in unevaluated {
            match subschema {
                Value::Bool(false) => {
                    self.reject(|checker| Violation::unknown(checker.pointer_to(name), None));
                }
                schema => self.check_child(name, schema, value),
            }
        }
    }

    fn collect_evaluated<'i>(
        &mut self,
        schema: &Value,
        members: &'i Keywords,
        instance: &Value,
        evaluated: &mut BTreeSet<&'i str>,
    ) {
        let Value::Object(keywords) = schema else {
            return;
        };
        if self.count_step() {
            return;
        }
        self.depth += 1;
        for name in members.keys().filter(|name| evaluates(keywords, name)) {
            evaluated.insert(name);
        }
        let reference = keywords.get("$ref").and_then(Value::as_str);
        if let Some(target) =
            reference.and_then(|reference| resolve_reference(self.root, reference))
        {
            self.collect_evaluated(target, members, instance, evaluated);
        }
        for branch in self.applicable_subschemas(keywords, members, instance) {
            self.collect_evaluated(branch, members, instance, evaluated);
        }
        self.depth -= 1;
    }

    /// Returns the subschemas that apply to the same instance and that accept it.
    fn applicable_subschemas<'k>(
        &mut self,
        keywords: &'k Keywords,
        members: &Keywords,
        instance: &Value,
    ) -> Vec<&'k Value> {
        let mut schemas = Vec::new();
        for combination in ["allOf", "anyOf", "oneOf"] {
            schemas.extend(array_values(keywords, combination));
        }
        let dependent = subschemas(keywords, "dependentSchemas")
            .into_iter()
            .flatten();
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

/// Returns a hint with the most similar name, or with the known names if no name is similar.
fn known_names(keywords: &Keywords, unknown: &str) -> String {
    let names = subschemas(keywords, "properties")
        .into_iter()
        .flat_map(Keywords::keys);
    let known: Vec<&str> = names.map(String::as_str).collect();
    if known.is_empty() {
        return "none is allowed".to_owned();
    }
    if let Some(near) = nearest(unknown, known.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    let quoted: Vec<String> = known
        .iter()
        .take(MAX_LISTED_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if known.len() > MAX_LISTED_NAMES {
        ", …"
    } else {
        ""
    };
    format!("known names: {}{more}", quoted.join(", "))
}

fn evaluates(keywords: &Keywords, name: &str) -> bool {
    let matched = |patterns: &Keywords| {
        patterns
            .keys()
            .any(|pattern| pattern::matches_pattern(pattern, name) == Some(true))
    };
    keywords.contains_key("additionalProperties")
        || subschemas(keywords, "properties").is_some_and(|named| named.contains_key(name))
        || subschemas(keywords, "patternProperties").is_some_and(matched)
}
