//! The notation of the tables.
//!
//! A row has a member name, one column for each revision, and the shape of the value.
//! The columns are, from left to right, 2024-11-05, 2025-03-26, 2025-06-18,
//! 2025-11-25 and 2026-07-28:
//!
//! | mark | the member is |
//! |---|---|
//! | `R` | required |
//! | `o` | optional |
//! | `.` | forbidden |
//!
//! A member may have several rows with different shapes; a revision uses the row
//! that does not forbid it.
//! A member without a row is undeclared: a server must not send it, and a client
//! must tolerate it.

use serde_json::{Map, Value};

use crate::wire::{Revision, check::Checker};

pub(crate) mod capability;
pub(crate) mod completion;
pub(crate) mod content;
pub(crate) mod elicitation;
pub(crate) mod envelope;
pub(crate) mod input;
pub(crate) mod meta;
pub(crate) mod method;
pub(crate) mod notification;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod result;
pub(crate) mod sampling;
pub(crate) mod schema;
pub(crate) mod task;
pub(crate) mod tool;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    Optional,
    Forbidden,
}

/// One row: a member of an object, or an arm of a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    presence: [Presence; 5],
    pub(crate) shape: Shape,
}

impl Member {
    pub(crate) fn presence(&self, revision: Revision) -> Presence {
        self.presence[revision as usize]
    }

    pub(crate) fn exists(&self, revision: Revision) -> bool {
        self.presence(revision) != Presence::Forbidden
    }
}

pub(crate) const fn member(name: &'static str, columns: &[u8; 5], shape: Shape) -> Member {
    let mut presence = [Presence::Forbidden; 5];
    let mut column = 0;
    while column < 5 {
        presence[column] = match columns[column] {
            b'R' => Presence::Required,
            b'o' => Presence::Optional,
            mark => {
                assert!(mark == b'.', "a column is marked R, o or .");
                Presence::Forbidden
            }
        };
        column += 1;
    }
    Member {
        name,
        presence,
        shape,
    }
}

/// The shape that a value must have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Any JSON value.
    Any,
    /// A description, and the function that checks it.
    Is(&'static str, fn(&Value) -> bool),
    /// This string.
    Literal(&'static str),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An array of values of this shape.
    List(&'static Shape),
    /// An object with any keys and values of this shape.
    Map(&'static Shape),
    /// A value of this shape or an array of them.
    OneOrMany(&'static Shape),
    /// A value of this shape or null.
    Nullable(&'static Shape),
    /// An object with these members.
    Object(&'static Object),
    /// An array of objects with these members.
    Objects(&'static Object),
    /// An object whose string member of this name chooses the arm.
    Tagged(&'static str, &'static [Member]),
    /// An object; the first arm whose name is a member of it applies.
    Having(&'static [Member]),
    /// A JSON Schema as the root of a tool's input.
    InputSchema,
    /// A JSON Schema as the root of a tool's output.
    OutputSchema,
}

/// A rule that rows cannot express.
pub(crate) type ExtraRule = fn(&Map<String, Value>, &mut Checker);

/// An object and all its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// The name of the definition in the official schemas.
    pub(crate) name: &'static str,
    pub(crate) members: &'static [Member],
    pub(crate) base: Option<&'static Object>,
    pub(crate) other_keys: OtherKeys,
    pub(crate) extra: Option<ExtraRule>,
}

/// How members without a row are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherKeys {
    Undeclared,
    Allowed,
    /// Allowed if they follow the key grammar and use no reserved prefix.
    MetaKeys,
}

pub(crate) const fn object(name: &'static str, members: &'static [Member]) -> Object {
    Object {
        name,
        members,
        base: None,
        other_keys: OtherKeys::Undeclared,
        extra: None,
    }
}

impl Object {
    pub(crate) const fn extends(mut self, base: &'static Object) -> Self {
        self.base = Some(base);
        self
    }

    pub(crate) const fn with_other_keys(mut self, other_keys: OtherKeys) -> Self {
        self.other_keys = other_keys;
        self
    }

    pub(crate) const fn with_rule(mut self, extra: ExtraRule) -> Self {
        self.extra = Some(extra);
        self
    }

    /// All rows, those of the base first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'static Member> {
        let base = self.base.map_or(&[][..], |base| base.members);
        base.iter().chain(self.members)
    }

    /// Whether this revision requires any member.
    pub(crate) fn needs_members(&self, revision: Revision) -> bool {
        self.rows()
            .any(|row| row.presence(revision) == Presence::Required)
    }

    pub(crate) fn declares(&self, name: &str, revision: Revision) -> bool {
        self.rows()
            .any(|row| row.name == name && row.exists(revision))
    }
}

pub(crate) const TEXT: Shape = Shape::Is("a string", Value::is_string);
pub(crate) const BOOLEAN: Shape = Shape::Is("a boolean", Value::is_boolean);
pub(crate) const NUMBER: Shape = Shape::Is("a number", Value::is_number);
pub(crate) const ANY_OBJECT: Shape = Shape::Is("an object", Value::is_object);
