use serde_json::{Map, Value};

use super::coerce::{self, CoercedArguments, Coercion};
use super::message::{self, Violation};
use super::{Parameter, Rejection, Slots};
use crate::schema;

/// The slow path of reading arguments: coerces values without loss, checks the result
/// against the schema, and reports everything that is wrong with the call.
#[derive(Debug)]
pub(crate) struct ArgumentValidator<'a> {
    /// The name of the definition, for the message.
    pub(crate) name: &'a str,
    pub(crate) schema: &'a Value,
    pub(crate) parameters: &'a [Parameter],
    /// The raw `params` of the request, for a hint when `arguments` is missing.
    pub(crate) params: &'a str,
}

impl ArgumentValidator<'_> {
    /// Fills the slots, and returns how values were coerced.
    pub(crate) fn read(
        &self,
        json: Option<&str>,
        slots: &mut dyn Slots,
    ) -> Result<Vec<Coercion>, Rejection> {
        let (arguments, coercions) = self.coerce(json)?;
        let violations = self.fill(&arguments, slots);
        if violations.is_empty() {
            return Ok(coercions);
        }
        Err(self.reject(&Value::Object(arguments), &violations, None))
    }

    /// The arguments coerced to satisfy the schema, and how values were coerced.
    pub(crate) fn coerce(
        &self,
        json: Option<&str>,
    ) -> Result<(Map<String, Value>, Vec<Coercion>), Rejection> {
        let arguments = coerce::parse_arguments(json, self.schema);
        let arguments =
            arguments.map_err(|violation| self.reject(&Value::Null, &[violation], None))?;
        let CoercedArguments {
            arguments,
            coercions,
        } = coerce::coerce(self.schema, Value::Object(arguments));
        let violations = schema::check(self.schema, &arguments);
        if !violations.is_empty() {
            let hint = json.is_none().then(|| self.misnamed_hint()).flatten();
            return Err(self.reject(&arguments, &violations, hint.as_deref()));
        }
        match arguments {
            Value::Object(arguments) => Ok((arguments, coercions)),
            // Coercion keeps an object an object.
            _ => Ok((Map::new(), coercions)),
        }
    }

    /// Fills each slot separately, so that every argument which its type rejects beyond
    /// the schema is reported.
    fn fill(&self, arguments: &Map<String, Value>, slots: &mut dyn Slots) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(slot) = slots.slot(index) else {
                continue;
            };
            let Some(value) = arguments.get(parameter.name) else {
                // The schema, which is checked already, requires what has no value for this.
                let _filled = parameter.fill_absent(slot);
                continue;
            };
            let reason = match parameter.read(slot, &value.to_string()) {
                Err(error) => without_position(&error),
                Ok(_) if !parameter.satisfies_rules(slot) => {
                    "it breaks a rule of the argument".to_owned()
                }
                Ok(_) => continue,
            };
            let mut pointer = String::new();
            schema::push_token(&mut pointer, parameter.name);
            violations.push(Violation::rejected(pointer, value, &reason));
        }
        violations
    }

    fn misnamed_hint(&self) -> Option<String> {
        let members: Map<String, Value> = serde_json::from_str(self.params).ok()?;
        message::misnamed_hint(members.keys().map(String::as_str))
    }

    fn reject(&self, arguments: &Value, violations: &[Violation], hint: Option<&str>) -> Rejection {
        let text = message::render(self.name, self.schema, arguments, violations, hint);
        Rejection::Arguments(text)
    }
}

/// The error of the type, without its position in a text that the client did not send.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
