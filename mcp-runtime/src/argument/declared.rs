use std::sync::OnceLock;

use serde_json::Value;

use super::explain::{Explained, explain};
use super::{Coercion, Fill, Parameter, Refusal, read};
use crate::schema::{self, Property, Trust};

/// The arguments that a definition declares; their schema is made when first asked for.
#[derive(Debug)]
pub(crate) struct Declared {
    name: &'static str,
    parameters: &'static [Parameter],
    schema: OnceLock<Value>,
    trust: OnceLock<Trust>,
}

impl Declared {
    /// The arguments of the definition of that name.
    pub(crate) fn new(name: &'static str, parameters: &'static [Parameter]) -> Self {
        Self {
            name,
            parameters,
            schema: OnceLock::new(),
            trust: OnceLock::new(),
        }
    }

    /// What is advertised, and what arguments are explained by.
    pub(crate) fn schema(&self) -> &Value {
        self.schema.get_or_init(|| {
            let properties = self.parameters.iter().map(|parameter| Property {
                name: parameter.name,
                schema: schema::normalise(parameter.described()),
                required: parameter.is_required(),
                default: parameter.default.map(|default| default()),
            });
            schema::object(properties)
        })
    }

    /// Fills the slots, and says what was changed in the arguments for that.
    ///
    /// The happy path reads the text as it came; only what it refuses is looked
    /// at twice. `params` is all that the request says, should `json` be missing.
    pub(crate) fn read(
        &self,
        json: Option<&str>,
        params: &str,
        slots: &mut [&mut dyn Fill],
    ) -> Result<Vec<Coercion>, Refusal> {
        let text = json.filter(|json| *json != "null").unwrap_or("{}");
        let trusted = self.trust() != Trust::Partial;
        if trusted && read::read(text, self.parameters, slots).is_ok() {
            return Ok(Vec::new());
        }
        let explained = Explained {
            name: self.name,
            schema: self.schema(),
            parameters: self.parameters,
            params,
        };
        explain(&explained, json, slots)
    }

    /// How far reading the types enforces what is advertised.
    fn trust(&self) -> Trust {
        *self.trust.get_or_init(|| {
            let parameters = self.parameters.iter();
            let trusts = parameters.map(|parameter| schema::trust(&(parameter.schema)()));
            trusts.max().unwrap_or(Trust::Exact)
        })
    }
}
