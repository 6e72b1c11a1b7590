use serde_json::{Map, Value};

use super::repair::{self, Coercion, Repaired};
use super::violation::{self, Violation};
use super::{Parameter, Refusal, Slots};
use crate::schema;

/// What arguments are held against, and whose they are.
#[derive(Debug)]
pub(crate) struct Explained<'a> {
    pub(crate) name: &'a str,
    pub(crate) schema: &'a Value,
    pub(crate) parameters: &'a [Parameter],
    /// The parameters of the request, should `arguments` be missing.
    pub(crate) params: &'a str,
}

/// Reads the arguments the slow way: repairs what means the same, checks the
/// rest against the schema, and says everything that is wrong.
pub(crate) fn explain(
    call: &Explained<'_>,
    json: Option<&str>,
    slots: &mut dyn Slots,
) -> Result<Vec<Coercion>, Refusal> {
    let (arguments, coercions) = repaired(call, json)?;
    let violations = call.fill(&arguments, slots);
    if violations.is_empty() {
        return Ok(coercions);
    }
    Err(call.refuse(&Value::Object(arguments), &violations, None))
}

/// The arguments that fit the schema, and what was changed for that.
pub(crate) fn repaired(
    call: &Explained<'_>,
    json: Option<&str>,
) -> Result<(Map<String, Value>, Vec<Coercion>), Refusal> {
    let given = repair::arguments(json, call.schema);
    let given = given.map_err(|violation| call.refuse(&Value::Null, &[violation], None))?;
    let Repaired {
        arguments,
        coercions,
    } = repair::repair(call.schema, Value::Object(given));
    let violations = schema::check(call.schema, &arguments);
    if !violations.is_empty() {
        let hint = json.is_none().then(|| call.look_alike()).flatten();
        return Err(call.refuse(&arguments, &violations, hint.as_deref()));
    }
    match arguments {
        Value::Object(arguments) => Ok((arguments, coercions)),
        // Repair keeps an object an object.
        _ => Ok((Map::new(), coercions)),
    }
}

impl Explained<'_> {
    /// Fills each slot by itself, so that what a type refuses beyond its schema
    /// is told of every argument.
    fn fill(&self, arguments: &Map<String, Value>, slots: &mut dyn Slots) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(slot) = slots.slot(index) else {
                continue;
            };
            let Some(value) = arguments.get(parameter.name) else {
                // The start has seen to it that the schema requires what must be there.
                let _settled = parameter.settle(slot);
                continue;
            };
            let refused = match parameter.read(slot, &value.to_string()) {
                Err(error) => reason(&error),
                Ok(_) if !parameter.admits(slot) => "it breaks a rule of the argument".to_owned(),
                Ok(_) => continue,
            };
            let mut pointer = String::new();
            schema::push_token(&mut pointer, parameter.name);
            violations.push(Violation::rejected(pointer, value, &refused));
        }
        violations
    }

    fn look_alike(&self) -> Option<String> {
        let members: Map<String, Value> = serde_json::from_str(self.params).ok()?;
        violation::look_alike(members.keys().map(String::as_str))
    }

    fn refuse(&self, arguments: &Value, violations: &[Violation], hint: Option<&str>) -> Refusal {
        let text = violation::render(self.name, self.schema, arguments, violations, hint);
        Refusal::Arguments(text)
    }
}

/// What the type itself says, without the position in a text that nobody sent.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
