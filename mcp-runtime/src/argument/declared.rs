use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::explain::{Explained, explain, repaired};
use super::{Coercion, Fill, Parameter, Refusal, read};
use crate::schema::{self, Property, Trust};

/// The arguments that a definition declares; their schema is made when first asked for.
#[derive(Debug)]
pub(crate) struct Declared {
    name: Cow<'static, str>,
    pub(crate) parameters: &'static [Parameter],
    schema: OnceLock<Value>,
    trust: OnceLock<Trust>,
}

impl Declared {
    /// The arguments of the definition of that name.
    pub(crate) fn new(name: &'static str, parameters: &'static [Parameter]) -> Self {
        Self {
            name: name.into(),
            parameters,
            schema: OnceLock::new(),
            trust: OnceLock::new(),
        }
    }

    /// The arguments that a schema describes which was given by hand.
    pub(crate) fn by_hand(name: String, schema: Value) -> Self {
        Self {
            name: name.into(),
            parameters: &[],
            schema: schema.into(),
            trust: OnceLock::new(),
        }
    }

    /// The arguments as they are, once they fit the schema.
    pub(crate) fn read_object(
        &self,
        json: Option<&str>,
        params: &str,
    ) -> Result<(Map<String, Value>, Vec<Coercion>), Refusal> {
        repaired(&self.explained(params), json)
    }

    /// Whether there is an argument of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let properties = self.schema().get("properties");
        properties.is_some_and(|properties| properties.get(name).is_some())
    }

    /// Whether any argument can be completed.
    pub(crate) fn completes(&self) -> bool {
        self.parameters.iter().any(Parameter::completes)
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
        explain(&self.explained(params), json, slots)
    }

    fn explained<'a>(&'a self, params: &'a str) -> Explained<'a> {
        Explained {
            name: &self.name,
            schema: self.schema(),
            parameters: self.parameters,
            params,
        }
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
