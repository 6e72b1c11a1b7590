//! Checks `anyOf` and `oneOf`, and selects the alternative that fits the type and tag of the
//! instance.

use super::{Checker, assertion};
use crate::schema::equality::json_eq;
use crate::schema::keyword::dereference;
use crate::schema::violation::Violation;
use crate::schema::{Keywords, human_readable};
use serde_json::{Value, json};

impl Checker<'_> {
    pub(super) fn check_any_of(&mut self, branches: &[Value], instance: &Value) {
        match candidate_branches(self.root, branches, instance).as_slice() {
            [only] => self.check_value(only, instance),
            candidates
                if candidates
                    .iter()
                    .any(|branch| self.accepts(branch, instance)) => {}
            _ => self.reject_all_branches(branches, instance),
        }
    }

    pub(super) fn check_one_of(&mut self, branches: &[Value], instance: &Value) {
        let candidates = candidate_branches(self.root, branches, instance);
        if let [only] = candidates.as_slice() {
            return self.check_value(only, instance);
        }
        match candidates
            .iter()
            .filter(|branch| self.accepts(branch, instance))
            .count()
        {
            0 => self.reject_all_branches(branches, instance),
            1 => {}
            _ => self.reject_mismatch(instance, |root| {
                let all = human_readable::describe_schema(root, &json!({"oneOf": branches}));
                format!("exactly one of these: {all}")
            }),
        }
    }

    /// Reports a wrong or missing tag if the alternatives have a common tag. Otherwise reports all
    /// alternatives as expected values.
    fn reject_all_branches(&mut self, branches: &[Value], instance: &Value) {
        let before = self.found.len();
        if let (Some(tag), Value::Object(members)) = (common_tag(self.root, branches), instance) {
            self.reject_tag(&tag, members);
        }
        if self.found.len() == before {
            self.reject_mismatch(instance, |root| {
                human_readable::describe_schema(root, &json!({"anyOf": branches}))
            });
        }
    }

    fn reject_tag(&mut self, (name, values): &(&str, Vec<Value>), members: &Keywords) {
        let schema = json!({"enum": values});
        match members.get(*name) {
            Some(value) => self.check_child(name, &schema, value),
            None => self.reject(|checker| {
                let expected = human_readable::describe_schema(checker.root, &schema);
                Violation::missing(checker.pointer_to(name), expected)
            }),
        }
    }
}

/// Returns the alternative that fits the type and tag of the instance, if there is exactly one. The
/// instance may violate this alternative in other ways.
pub(crate) fn matching_branch<'s>(
    root: &'s Value,
    branches: &'s [Value],
    instance: &Value,
) -> Option<&'s Value> {
    match candidate_branches(root, branches, instance).as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns the alternatives that fit the type and tag of the instance.
///
/// Checking only these alternatives keeps the work for nested enums linear.
fn candidate_branches<'s>(root: &Value, branches: &'s [Value], instance: &Value) -> Vec<&'s Value> {
    branches
        .iter()
        .filter(|branch| !rules_out(dereference(root, branch), instance))
        .collect()
}

fn rules_out(branch: &Value, instance: &Value) -> bool {
    let kind = branch.get("type");
    if kind.is_some_and(|kind| !assertion::is_of_type(kind, instance)) {
        return true;
    }
    let Value::Object(members) = instance else {
        return false;
    };
    let other_tag =
        tags(branch).any(|(name, tag)| members.get(name).is_none_or(|it| !json_eq(it, tag)));
    let names = branch["required"].as_array().map(Vec::as_slice);
    let other_key = match names {
        Some([Value::String(name)]) if branch["additionalProperties"] == false => {
            !members.contains_key(name)
        }
        _ => false,
    };
    other_tag || other_key
}

/// Returns the required properties with exactly one allowed value.
fn tags(branch: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let required = branch["required"].as_array().into_iter().flatten();
    required.filter_map(Value::as_str).filter_map(|name| {
        let values = branch["properties"].get(name)?.get("enum")?.as_array()?;
        match values.as_slice() {
            [value] => Some((name, value)),
            _ => None,
        }
    })
}

/// Returns the name of the tag that all alternatives have in common, and the values of the tag.
fn common_tag<'s>(root: &'s Value, branches: &'s [Value]) -> Option<(&'s str, Vec<Value>)> {
    let value = |branch: &'s Value, name: &str| {
        let mut tags = tags(dereference(root, branch));
        tags.find(|(tag, _)| *tag == name)
            .map(|(_, value)| value.clone())
    };
    tags(dereference(root, branches.first()?)).find_map(|(name, _)| {
        let values: Option<Vec<Value>> =
            branches.iter().map(|branch| value(branch, name)).collect();
        Some((name, values?))
    })
}
