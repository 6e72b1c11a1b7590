use serde_json::{Map, Value};

use crate::wire::{
    Problem, Revision, Rule,
    format::meta_key_fault,
    table::{Member, Object, OtherKeys, Presence, Shape, schema},
};

/// Checks one message against the tables and collects its problems.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) revision: Revision,
    path: Vec<String>,
    problems: Vec<Problem>,
}

impl Checker {
    pub(crate) fn new(revision: Revision) -> Self {
        Self {
            revision,
            path: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    pub(crate) fn report(&mut self, rule: Rule, message: impl Into<String>) {
        self.problems.push(Problem {
            pointer: self.pointer(),
            rule,
            revision: self.revision,
            message: message.into(),
        });
    }

    /// Reports a problem at the member with these keys, relative to the current position.
    pub(crate) fn report_at(&mut self, keys: &[&str], rule: Rule, message: impl Into<String>) {
        match keys {
            [] => self.report(rule, message),
            [key, keys @ ..] => self.at(key, |checker| checker.report_at(keys, rule, message)),
        }
    }

    /// Adds problems that were found in the part at the current position.
    pub(crate) fn adopt(&mut self, problems: Vec<Problem>) {
        let position = self.pointer();
        self.problems
            .extend(problems.into_iter().map(|problem| Problem {
                pointer: format!("{position}{}", problem.pointer),
                ..problem
            }));
    }

    /// Checks a part of the message.
    pub(crate) fn at(&mut self, key: &str, check: impl FnOnce(&mut Self)) {
        self.path.push(key.replace('~', "~0").replace('/', "~1"));
        check(self);
        self.path.pop();
    }

    pub(crate) fn shape(&mut self, value: &Value, shape: &Shape) {
        match shape {
            Shape::Any => {}
            Shape::Is(what, is) => self.expect(is(value), || (*what).to_owned()),
            Shape::Literal(text) => self.expect(value == text, || format!("`{text}`")),
            Shape::OneOf(texts) => {
                let known = value.as_str().is_some_and(|text| texts.contains(&text));
                self.expect(known, || format!("one of {}", texts.join(", ")));
            }
            Shape::List(item) => self.list(value, item),
            Shape::Map(item) => self.with_members(value, |checker, members| {
                for (key, value) in members {
                    checker.at(key, |checker| checker.shape(value, item));
                }
            }),
            Shape::OneOrMany(item) if value.is_array() => self.list(value, item),
            Shape::OneOrMany(item) => self.shape(value, item),
            Shape::Nullable(_) if value.is_null() => {}
            Shape::Nullable(shape) => self.shape(value, shape),
            Shape::Object(object) => self.object(value, object),
            Shape::Objects(object) => self.list(value, &Shape::Object(object)),
            Shape::Tagged(tag, arms) => self.tagged(value, tag, arms),
            Shape::Having(arms) => self.having(value, arms),
            Shape::InputSchema => schema::check_input(value, self),
            Shape::OutputSchema => schema::check_output(value, self),
        }
    }

    pub(crate) fn object(&mut self, value: &Value, object: &Object) {
        self.with_members(value, |checker, members| {
            for row in object.rows() {
                checker.row(members, row);
            }
            for key in members.keys() {
                checker.key(key, object);
            }
            if let Some(rule) = object.extra {
                rule(members, checker);
            }
        });
    }

    pub(crate) fn with_members(
        &mut self,
        value: &Value,
        check: impl FnOnce(&mut Self, &Map<String, Value>),
    ) {
        match value.as_object() {
            Some(members) => check(self, members),
            None => self.expect(false, || "an object".to_owned()),
        }
    }

    fn pointer(&self) -> String {
        self.path.iter().map(|key| format!("/{key}")).collect()
    }

    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.report(Rule::Value, format!("must be {}", what()));
        }
    }

    fn list(&mut self, value: &Value, shape: &Shape) {
        self.expect(value.is_array(), || "an array".to_owned());
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            self.at(&index.to_string(), |checker| checker.shape(item, shape));
        }
    }

    fn row(&mut self, members: &Map<String, Value>, row: &Member) {
        match (members.get(row.name), row.presence(self.revision)) {
            (_, Presence::Forbidden) | (None, Presence::Optional) => {}
            (Some(value), _) => self.at(row.name, |checker| checker.shape(value, &row.shape)),
            (None, Presence::Required) => self.report_at(&[row.name], Rule::Required, "is missing"),
        }
    }

    fn key(&mut self, key: &str, object: &Object) {
        if object.declares(key, self.revision) {
            return;
        }
        let known = object.rows().any(|row| row.name == key);
        let fault = match object.other_keys {
            _ if known => Some((Rule::Forbidden, "belongs to other revisions")),
            OtherKeys::Allowed => None,
            OtherKeys::Undeclared => Some((Rule::Undeclared, "is not declared by any revision")),
            OtherKeys::MetaKeys => {
                meta_key_fault(key, self.revision).map(|fault| (Rule::Value, fault))
            }
        };
        if let Some((rule, fault)) = fault {
            self.at(key, |checker| {
                checker.report(rule, format!("{fault} (in {})", object.name));
            });
        }
    }

    fn tagged(&mut self, value: &Value, tag: &str, arms: &[Member]) {
        self.with_members(value, |checker, members| {
            let Some(Value::String(name)) = members.get(tag) else {
                let rule = match members.get(tag) {
                    Some(_) => Rule::Value,
                    None => Rule::Required,
                };
                return checker.report_at(&[tag], rule, "must be a string");
            };
            let mut named = arms.iter().filter(|arm| arm.name == name).peekable();
            let known = named.peek().is_some();
            match named.find(|arm| arm.exists(checker.revision)) {
                Some(arm) => checker.shape(value, &arm.shape),
                None if known => checker.report_at(
                    &[tag],
                    Rule::Forbidden,
                    format!("`{name}` belongs to other revisions"),
                ),
                None => checker.report_at(&[tag], Rule::Value, format!("`{name}` is unknown")),
            }
        });
    }

    fn having(&mut self, value: &Value, arms: &[Member]) {
        self.with_members(value, |checker, members| {
            let revision = checker.revision;
            let names = || {
                arms.iter()
                    .filter(|arm| arm.exists(revision))
                    .map(|arm| arm.name)
            };
            match arms
                .iter()
                .find(|arm| members.contains_key(arm.name) && arm.exists(revision))
            {
                Some(arm) => checker.shape(value, &arm.shape),
                None => {
                    let names: Vec<_> = names().collect();
                    checker.report(Rule::Required, format!("has none of {}", names.join(", ")));
                }
            }
        });
    }
}
