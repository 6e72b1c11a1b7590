//! Reads one argument of a call whose arguments were coerced. Each argument is read separately, so
//! that a coercion in one argument does not change another.

use std::any::Any;

use serde_json::Value;

use super::Parameter;
use super::coerce::Coercion;
use super::message::Violation;
use crate::jsonrpc::decode_string;
use crate::schema;

/// The maximum number of members with `null` for which the original `null` is tried. Further
/// members with `null` count as absent.
const MAX_NULLS: usize = 32;

/// One argument of a call, with the coercions and violations of all arguments.
pub(super) struct CoercedArgument<'a> {
    pub(super) parameter: &'a Parameter,
    /// The JSON Pointer of the argument.
    pub(super) pointer: &'a str,
    /// The JSON text of the argument as the client sent it.
    pub(super) raw: Option<&'a str>,
    /// The value of the argument after coercion.
    pub(super) value: Option<&'a Value>,
    /// Whether every value that the Rust type accepts also matches the schema.
    pub(super) type_decides: bool,
    pub(super) coercions: &'a mut Vec<Coercion>,
    pub(super) violations: &'a mut Vec<Violation>,
}

impl CoercedArgument<'_> {
    /// Fills the slot, unless the argument is absent or violates the schema.
    ///
    /// # Errors
    /// Returns the error of the Rust type if it rejects a value that matches the schema.
    pub(super) fn read(&mut self, slot: &mut dyn Any) -> Result<(), String> {
        if self.read_as_sent(slot) {
            self.forget_coercions();
            self.forget_violations();
            return Ok(());
        }
        let Some(value) = self.value else {
            // If the type has no value for an absent argument, the check of the schema has already
            // reported the missing argument.
            let _filled = self.parameter.fill_absent(slot);
            return Ok(());
        };
        if self.has_violations() {
            let accepted = self.type_decides
                && (self.accepts(slot, &value.to_string()) || self.read_digits(slot));
            if accepted {
                self.forget_violations();
            }
            return Ok(());
        }
        match self.parameter.read(slot, &value.to_string()) {
            Err(error) => Err(without_position(&error)),
            Ok(_) if !self.parameter.satisfies_rules(slot) => {
                Err("it breaks a rule of the argument".to_owned())
            }
            Ok(_) => {
                self.restore_nulls(slot, value.clone());
                Ok(())
            }
        }
    }

    /// Reads the argument from the text that the client sent, if the only coercions in it are the
    /// removal of `null` members. The Rust type may accept these members.
    fn read_as_sent(&self, slot: &mut dyn Any) -> bool {
        let Some(raw) = self.raw else {
            return false;
        };
        let mut own = self.coercions.iter().filter(|it| self.is_own(&it.pointer));
        let means_absent = raw == "null" && self.parameter.default.is_some();
        !means_absent
            && own.all(|coercion| coercion.to == "absent")
            && (self.type_decides || !self.has_violations())
            && self.accepts(slot, raw)
    }

    /// Reads an integer that was sent as a string and that is too large for a `serde_json::Number`.
    fn read_digits(&mut self, slot: &mut dyn Any) -> bool {
        let text = self.raw.and_then(decode_string).unwrap_or_default();
        let text = text.trim();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let schema = self.parameter.advertised_schema();
        let is_integer = schema.get("type").is_some_and(|kind| kind == "integer")
            && !digits.is_empty()
            && digits.bytes().all(|it| it.is_ascii_digit());
        let accepted = is_integer && self.accepts(slot, text);
        if accepted {
            self.coercions.push(Coercion {
                pointer: self.pointer.to_owned(),
                from: "string",
                to: "integer",
            });
        }
        accepted
    }

    /// Restores every `null` that coercion removed and that the Rust type accepts.
    fn restore_nulls(&mut self, slot: &mut dyn Any, mut value: Value) {
        let mut tried = 0;
        let (parameter, outer) = (self.parameter, self.pointer);
        let mut restored = |coercion: &Coercion| {
            let inner = coercion.pointer.strip_prefix(outer);
            let place = inner.and_then(|inner| inner.rsplit_once('/'));
            let Some((object, token)) = place.filter(|_| coercion.to == "absent") else {
                return false;
            };
            tried += 1;
            if tried > MAX_NULLS {
                return false;
            }
            let name = schema::unescape(token);
            let Some(Value::Object(members)) = value.pointer_mut(object) else {
                return false;
            };
            members.insert(name.clone(), Value::Null);
            let text = value.to_string();
            let accepted = parameter.read(slot, &text).is_ok() && parameter.satisfies_rules(slot);
            if !accepted && let Some(Value::Object(members)) = value.pointer_mut(object) {
                members.remove(&name);
            }
            accepted
        };
        self.coercions.retain(|coercion| {
            let is_own = is_within(&coercion.pointer, outer);
            !(is_own && restored(coercion))
        });
        if tried > 0 {
            // The slot may still hold the value of a rejected attempt.
            let _accepted = self.parameter.read(slot, &value.to_string());
        }
    }

    fn accepts(&self, slot: &mut dyn Any, json: &str) -> bool {
        self.parameter.read(slot, json).is_ok() && self.parameter.satisfies_rules(slot)
    }

    fn is_own(&self, pointer: &str) -> bool {
        is_within(pointer, self.pointer)
    }

    fn has_violations(&self) -> bool {
        self.violations.iter().any(|it| self.is_own(&it.pointer))
    }

    fn forget_violations(&mut self) {
        let outer = self.pointer;
        self.violations.retain(|it| !is_within(&it.pointer, outer));
    }

    fn forget_coercions(&mut self) {
        let outer = self.pointer;
        self.coercions.retain(|it| !is_within(&it.pointer, outer));
    }
}

/// Whether a JSON Pointer equals `outer` or points into the value at `outer`.
fn is_within(pointer: &str, outer: &str) -> bool {
    let rest = pointer.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the text of the error without the line and column, which refer to a text that the client
/// did not send.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
