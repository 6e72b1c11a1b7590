//! Checks the items of an array.

use super::Checker;
use crate::schema::equality::canonical_text;
use crate::schema::{Keywords, human_readable};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Checker<'_> {
    pub(super) fn check_array(
        &mut self,
        keywords: &Keywords,
        schema: &Value,
        items: &[Value],
        instance: &Value,
    ) {
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        let rest = keywords.get("items");
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = prefix.get(index).or(rest) {
                self.check_child(&index.to_string(), schema, item);
            }
        }
        let unique = keywords.get("uniqueItems") == Some(&Value::Bool(true));
        if unique && has_duplicates(items) {
            self.reject_mismatch(instance, |root| {
                human_readable::describe_schema_with_widths(root, schema)
            });
        }
        if let Some(contained) = keywords.get("contains") {
            self.check_contains(keywords, contained, items, instance);
        }
    }

    fn check_contains(
        &mut self,
        keywords: &Keywords,
        contained: &Value,
        items: &[Value],
        instance: &Value,
    ) {
        let found = items
            .iter()
            .filter(|item| self.accepts(contained, item))
            .count();
        let count = json!(found);
        let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
        let (min, max) = (bound("minContains").unwrap_or(1.0), bound("maxContains"));
        let count = count.as_f64().unwrap_or(f64::MAX);
        if count < min || max.is_some_and(|max| count > max) {
            self.reject_mismatch(instance, |root| {
                let item = human_readable::describe_schema(root, contained);
                match max {
                    Some(max) => format!("an array that contains {item} {min} to {max} times"),
                    None => format!("an array that contains {item} at least {min} times"),
                }
            });
        }
    }
}

fn has_duplicates(items: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    !items.iter().all(|item| seen.insert(canonical_text(item)))
}
