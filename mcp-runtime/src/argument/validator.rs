use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::coerce::{self, Coercion};
use super::message::{self, Violation};
use super::read_coerced::CoercedArgument;
use super::{Adjustment, ArgumentChanges, Parameter, Rejection, Slots, aliases};
use crate::jsonrpc::{Members, decode_string};
use crate::schema::{self, StringFormat};

/// The slow path of reading arguments. It coerces values without loss, checks the result against
/// the schema, and reports all problems of the call.
#[derive(Debug)]
pub(crate) struct ArgumentValidator<'a> {
    /// The name of the tool, prompt or resource, for the error message.
    pub(crate) name: &'a str,
    pub(crate) schema: &'a Value,
    pub(crate) parameters: &'a [Parameter],
    /// Whether the schema is a custom schema, which is not generated from the parameters.
    pub(crate) has_custom_schema: bool,
    /// The raw `params` of the request, which are used for a hint if `arguments` is missing.
    pub(crate) params: &'a str,
}

impl ArgumentValidator<'_> {
    /// Fills the slots and returns the changes that were made to the values.
    pub(crate) fn read(
        &self,
        json: Option<&str>,
        slots: &mut dyn Slots,
    ) -> Result<ArgumentChanges, Rejection> {
        let (mut arguments, mut coercions) = self.coerce_values(json)?;
        let adjustments = self.clamp(&mut arguments);
        let mut violations = schema::check(self.schema, &arguments);
        let text = object_text(json);
        let mut raw: BTreeMap<_, _> = Members::of(&text).collect();
        raw.retain(|name, _| !adjustments.iter().any(|it| it.name == name));
        let rejected = self.fill(&arguments, &raw, &mut coercions, &mut violations, slots);
        violations.extend(rejected);
        if violations.is_empty() {
            return Ok(ArgumentChanges {
                coercions,
                adjustments,
            });
        }
        let example = schema::example(self.schema, &arguments);
        let example = example.and_then(|example| self.accepted_example(example, slots));
        Err(self.reject(json, &violations, example.as_ref()))
    }

    /// Returns the arguments after coercion and the list of the coercions. Rejects arguments that
    /// still violate the schema.
    pub(crate) fn coerce(
        &self,
        json: Option<&str>,
    ) -> Result<(Map<String, Value>, Vec<Coercion>), Rejection> {
        let (arguments, coercions) = self.coerce_values(json)?;
        let violations = schema::check(self.schema, &arguments);
        match arguments {
            Value::Object(arguments) if violations.is_empty() => Ok((arguments, coercions)),
            arguments => {
                let example = schema::example(self.schema, &arguments);
                Err(self.reject(json, &violations, example.as_ref()))
            }
        }
    }

    /// Moves each number of a parameter with a `clamp` into its range, even if the type of the
    /// parameter cannot hold the original number.
    fn clamp(&self, arguments: &mut Value) -> Vec<Adjustment> {
        let clamped = self.parameters.iter().filter_map(|parameter| {
            let value = arguments.get_mut(parameter.name)?;
            let to = parameter.clamp?.bound_for(value.as_number()?)?;
            let from = std::mem::replace(value, to.clone());
            let name = parameter.name;
            Some(Adjustment { name, from, to })
        });
        clamped.collect()
    }

    fn coerce_values(&self, json: Option<&str>) -> Result<(Value, Vec<Coercion>), Rejection> {
        let arguments = coerce::parse_arguments(json, self.schema).map_err(|violation| {
            let example = schema::example(self.schema, &Value::Null);
            self.reject(json, &[violation], example.as_ref())
        })?;
        let mut arguments = Value::Object(arguments);
        aliases::replace(self.parameters, &mut arguments);
        let mut coerced = coerce::coerce(self.schema, arguments);
        // An object that was sent as a string may also contain aliases.
        if aliases::replace(self.parameters, &mut coerced.arguments) {
            let again = coerce::coerce(self.schema, coerced.arguments);
            coerced.arguments = again.arguments;
            coerced.coercions.extend(again.coercions);
        }
        Ok((coerced.arguments, coerced.coercions))
    }

    /// Fills each slot separately, and returns a violation for every argument that matches the
    /// schema but that its type rejects. The caller reports these together with the violations of
    /// the schema.
    ///
    /// An argument without coercion is read from its own text in `raw`. If the type of an argument
    /// accepts this text, the recorded coercions and violations of the argument are removed.
    fn fill(
        &self,
        arguments: &Value,
        raw: &BTreeMap<Cow<'_, str>, &str>,
        coercions: &mut Vec<Coercion>,
        violations: &mut Vec<Violation>,
        slots: &mut dyn Slots,
    ) -> Vec<Violation> {
        let mut rejected = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(slot) = slots.slot(index) else {
                continue;
            };
            let mut pointer = String::new();
            schema::push_token(&mut pointer, parameter.name);
            let mut argument = CoercedArgument {
                parameter,
                pointer: &pointer,
                raw: raw.get(parameter.name).copied(),
                value: arguments.get(parameter.name),
                type_decides: !self.has_custom_schema && parameter.enforces_schema(),
                coercions,
                violations,
            };
            let Err(reason) = argument.read(slot) else {
                continue;
            };
            let value = arguments.get(parameter.name).unwrap_or(&Value::Null);
            rejected.extend(self.type_violations(parameter, pointer, value, &reason, slots));
        }
        rejected
    }

    /// Returns violations that explain why the type of a parameter rejects a value that its schema
    /// allows.
    fn type_violations(
        &self,
        parameter: &Parameter,
        pointer: String,
        value: &Value,
        reason: &str,
        slots: &mut dyn Slots,
    ) -> Vec<Violation> {
        let schema = self.property(parameter);
        let misformed = schema::misformed_strings(self.schema, schema, value);
        if !misformed.is_empty() {
            let violation = |(inner, format): (String, &StringFormat)| {
                let expected = format!("{}, such as `{}`", format.form, format.example);
                let got = value.pointer(&inner).unwrap_or(value);
                Violation::mismatch(&format!("{pointer}{inner}"), expected, got)
            };
            return misformed.into_iter().map(violation).collect();
        }
        let example = value
            .is_string()
            .then(|| self.accepted_value(parameter, slots));
        let reason = match example.flatten() {
            Some(example) => format!("{reason}; send for example `{example}`"),
            None => reason.to_owned(),
        };
        vec![Violation::rejected(pointer, value, &reason)]
    }

    fn property(&self, parameter: &Parameter) -> &Value {
        &self.schema["properties"][parameter.name]
    }

    /// Replaces the values of an example that the parameter types reject. The server must accept
    /// every example that it sends.
    fn accepted_example(&self, example: Value, slots: &mut dyn Slots) -> Option<Value> {
        let Value::Object(mut members) = example else {
            return None;
        };
        for parameter in self.parameters {
            let Some(value) = members.get(parameter.name) else {
                continue;
            };
            if self.accepts(parameter, value, slots) {
                continue;
            }
            match self.accepted_value(parameter, slots) {
                Some(accepted) => members.insert(parameter.name.to_owned(), accepted),
                None if parameter.is_required() => return None,
                None => members.remove(parameter.name),
            };
        }
        Some(Value::Object(members))
    }

    /// Returns an example value that the type of the parameter accepts.
    fn accepted_value(&self, parameter: &Parameter, slots: &mut dyn Slots) -> Option<Value> {
        let mut values = schema::alternative_examples(self.schema, self.property(parameter));
        values.find(|value| self.accepts(parameter, value, slots))
    }

    /// Checks whether the type and the rules of the parameter accept the value. Overwrites its
    /// slot.
    fn accepts(&self, parameter: &Parameter, value: &Value, slots: &mut dyn Slots) -> bool {
        let index = self
            .parameters
            .iter()
            .position(|it| it.name == parameter.name);
        let slot = index.and_then(|index| slots.slot(index));
        slot.is_some_and(|slot| {
            parameter.read(slot, &value.to_string()).is_ok() && parameter.satisfies_rules(slot)
        })
    }

    fn misnamed_hint(&self) -> Option<String> {
        let members: Map<String, Value> = serde_json::from_str(self.params).ok()?;
        message::misnamed_hint(members.keys().map(String::as_str))
    }

    fn reject(
        &self,
        json: Option<&str>,
        violations: &[Violation],
        example: Option<&Value>,
    ) -> Rejection {
        let hint = json.is_none().then(|| self.misnamed_hint()).flatten();
        let text = message::render(self.name, violations, hint.as_deref(), example);
        Rejection::Arguments(text)
    }
}

/// Returns the text of the object that [`coerce::parse_arguments`] parses.
fn object_text(json: Option<&str>) -> Cow<'_, str> {
    let json = json.unwrap_or("{}").trim_ascii();
    decode_string(json).unwrap_or(Cow::Borrowed(json))
}

#[cfg(test)]
mod tests;
