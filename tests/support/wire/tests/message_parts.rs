//! Finds the parts of a message that a table describes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::samples::Sample;
use crate::wire::{
    Revision,
    table::{
        Member, Object, Shape,
        envelope::{CODES, ERROR_RESPONSE, ErrorCode, NOTIFICATION, REQUEST, RESULT_RESPONSE},
        method::METHODS,
    },
};

/// A part of a message and the table for it.
#[derive(Debug)]
pub(super) struct MessagePart {
    pub(super) pointer: String,
    pub(super) table: &'static Object,
    /// The member that selected the table, so that removing it does not violate
    /// this table.
    pub(super) chooser: Option<&'static str>,
}

pub(super) fn message_parts(sample: &Sample) -> Vec<MessagePart> {
    let message = &sample.message;
    let mut visitor = Visitor {
        revision: sample.revision,
        places: vec![envelope(message)],
    };
    if let Some((part, shape)) = &sample.part {
        // Nothing else identifies the result that creates a task in 2025-11-25.
        let chooser = message.pointer("/result/task").map(|_| "task");
        visitor.visit(&message[part], shape, &format!("/{part}"), chooser);
    }
    let code = message.pointer("/error/code").and_then(Value::as_i64);
    if let (Some(code), Some(data)) = (code, message.pointer("/error/data"))
        && let Some(row) = ErrorCode::find(code)
    {
        visitor.visit(data, &row.data.shape, "/error/data", None);
    }
    visitor.places
}

fn envelope(message: &Value) -> MessagePart {
    let (table, chooser) = match message {
        message if message.get("error").is_some() => (&ERROR_RESPONSE, Some("error")),
        message if message.get("result").is_some() => (&RESULT_RESPONSE, Some("result")),
        message if message.get("id").is_some() => (&REQUEST, Some("method")),
        _ => (&NOTIFICATION, Some("method")),
    };
    MessagePart {
        pointer: String::new(),
        table,
        chooser,
    }
}

struct Visitor {
    revision: Revision,
    places: Vec<MessagePart>,
}

impl Visitor {
    fn visit(&mut self, value: &Value, shape: &Shape, at: &str, chooser: Option<&'static str>) {
        match shape {
            Shape::Object(table) => {
                self.places.push(MessagePart {
                    pointer: at.to_owned(),
                    table,
                    chooser,
                });
                let revision = self.revision;
                for row in table.rows().filter(|row| row.exists(revision)) {
                    if let Some(value) = value.get(row.name) {
                        self.visit(value, &row.shape, &below(at, row.name), None);
                    }
                }
            }
            Shape::Objects(table) => self.each(value, &Shape::Object(table), at),
            Shape::OneOrMany(item) if !value.is_array() => self.visit(value, item, at, None),
            Shape::List(item) | Shape::OneOrMany(item) | Shape::Map(item) => {
                self.each(value, item, at);
            }
            Shape::Tagged(tag, arms) => {
                let arm = self.arm(arms, |arm| value[*tag] == arm.name);
                self.visit(value, &arm.shape, at, chooser);
            }
            Shape::Having(arms) => {
                let arm = self.arm(arms, |arm| value.get(arm.name).is_some());
                self.visit(value, &arm.shape, at, Some(arm.name));
            }
            _ => {}
        }
    }

    fn arm(&self, arms: &'static [Member], fits: impl Fn(&Member) -> bool) -> &'static Member {
        let mut arms = arms.iter().filter(|arm| arm.exists(self.revision));
        arms.find(|arm| fits(arm)).unwrap()
    }

    fn each(&mut self, value: &Value, item: &Shape, at: &str) {
        match value {
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.visit(value, item, &below(at, &index.to_string()), None);
                }
            }
            Value::Object(members) => {
                for (key, value) in members {
                    self.visit(value, item, &below(at, key), None);
                }
            }
            _ => {}
        }
    }
}

/// The JSON pointer of a member.
pub(super) fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Every table that some message can reach, by address.
pub(super) fn all_tables() -> BTreeMap<usize, &'static Object> {
    let mut tables = BTreeMap::new();
    for method in METHODS {
        collect(&method.params, &mut tables);
        for arm in method.results {
            collect(&arm.shape, &mut tables);
        }
    }
    for code in &CODES {
        collect(&code.data.shape, &mut tables);
    }
    tables
}

fn collect(shape: &Shape, tables: &mut BTreeMap<usize, &'static Object>) {
    match shape {
        Shape::Object(table) | Shape::Objects(table) => {
            let address = std::ptr::from_ref(*table).addr();
            if tables.insert(address, table).is_none() {
                table.rows().for_each(|row| collect(&row.shape, tables));
            }
        }
        Shape::List(item) | Shape::Map(item) | Shape::OneOrMany(item) | Shape::Nullable(item) => {
            collect(item, tables);
        }
        Shape::Tagged(_, arms) | Shape::Having(arms) => {
            arms.iter().for_each(|arm| collect(&arm.shape, tables));
        }
        _ => {}
    }
}
