//! `anyOf` and `oneOf`, and which alternative was meant.

use super::{Check, assertion};
use crate::schema::equality::equal;
use crate::schema::keyword::resolved;
use crate::schema::violation::Violation;
use crate::schema::{Keywords, describe};
use serde_json::{Value, json};

impl Check<'_> {
    pub(super) fn any_of(&mut self, branches: &[Value], instance: &Value) {
        match open(self.root, branches, instance).as_slice() {
            [only] => self.at(only, instance),
            open if open.iter().any(|branch| self.accepts(branch, instance)) => {}
            _ => self.no_branch(branches, instance),
        }
    }

    pub(super) fn one_of(&mut self, branches: &[Value], instance: &Value) {
        let open = open(self.root, branches, instance);
        if let [only] = open.as_slice() {
            return self.at(only, instance);
        }
        match open
            .iter()
            .filter(|branch| self.accepts(branch, instance))
            .count()
        {
            0 => self.no_branch(branches, instance),
            1 => {}
            _ => self.mismatch(instance, |root| {
                let all = describe::expectation(root, &json!({"oneOf": branches}));
                format!("only one of these: {all}")
            }),
        }
    }

    /// Tells that the tag is wrong, if there is one, else what would be right.
    fn no_branch(&mut self, branches: &[Value], instance: &Value) {
        let before = self.found.len();
        if let (Some(tag), Value::Object(members)) = (tag(self.root, branches), instance) {
            self.wrong_tag(&tag, members);
        }
        if self.found.len() == before {
            self.mismatch(instance, |root| {
                describe::expectation(root, &json!({"anyOf": branches}))
            });
        }
    }

    fn wrong_tag(&mut self, (name, values): &(&str, Vec<Value>), members: &Keywords) {
        let schema = json!({"enum": values});
        match members.get(*name) {
            Some(value) => self.below(name, &schema, value),
            None => self.refuse(|check| {
                let expected = describe::expectation(check.root, &schema);
                Violation::missing(check.pointer_to(name), expected)
            }),
        }
    }
}

/// The one alternative that an instance can have been meant for, even if it is
/// wrong in other ways.
pub(crate) fn fitting<'s>(
    root: &'s Value,
    branches: &'s [Value],
    instance: &Value,
) -> Option<&'s Value> {
    match open(root, branches, instance).as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// The alternatives that neither their type nor their tag excludes.
///
/// Telling them apart first keeps the work linear for nested enums.
fn open<'s>(root: &Value, branches: &'s [Value], instance: &Value) -> Vec<&'s Value> {
    branches
        .iter()
        .filter(|branch| !excludes(resolved(root, branch), instance))
        .collect()
}

fn excludes(branch: &Value, instance: &Value) -> bool {
    let kind = branch.get("type");
    if kind.is_some_and(|kind| !assertion::is_of_type(kind, instance)) {
        return true;
    }
    let Value::Object(members) = instance else {
        return false;
    };
    let other_tag =
        tags(branch).any(|(name, tag)| members.get(name).is_none_or(|it| !equal(it, tag)));
    let names = branch["required"].as_array().map(Vec::as_slice);
    let other_key = match names {
        Some([Value::String(name)]) if branch["additionalProperties"] == false => {
            !members.contains_key(name)
        }
        _ => false,
    };
    other_tag || other_key
}

/// The properties that must be there with one certain value.
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

/// The property by which all alternatives are told apart, and its values.
fn tag<'s>(root: &'s Value, branches: &'s [Value]) -> Option<(&'s str, Vec<Value>)> {
    let value = |branch: &'s Value, name: &str| {
        let mut tags = tags(resolved(root, branch));
        tags.find(|(tag, _)| *tag == name)
            .map(|(_, value)| value.clone())
    };
    tags(resolved(root, branches.first()?)).find_map(|(name, _)| {
        let values: Option<Vec<Value>> =
            branches.iter().map(|branch| value(branch, name)).collect();
        Some((name, values?))
    })
}
