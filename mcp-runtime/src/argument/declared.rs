use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::explain::{Explained, explain, repaired};
use super::preset::Preset;
use super::{Candidates, Coercion, Parameter, Refusal, Slots, Unknown, by_hand, listed, read};
use crate::schema::{self, Property, Trust};

/// The arguments that a definition declares; their schema is made when first asked for.
#[derive(Debug)]
pub(crate) struct Declared {
    name: Cow<'static, str>,
    pub(crate) parameters: &'static [Parameter],
    unknown: Unknown,
    by_hand: Option<fn() -> Result<Value, String>>,
    /// Whether it came with its schema, while the server runs.
    made: bool,
    /// What completes the arguments of a definition without a signature.
    completed: BTreeMap<String, Candidates>,
    schema: OnceLock<Value>,
    trust: OnceLock<Trust>,
}

/// What reading arguments did to them.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) adjustments: Vec<Adjustment>,
}

/// A valid value that was moved into a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adjustment {
    /// The argument.
    pub(crate) name: &'static str,
    pub(crate) from: Value,
    pub(crate) to: Value,
}

impl Declared {
    /// The arguments of the definition of that name.
    pub(crate) fn new(name: &'static str, parameters: &'static [Parameter]) -> Self {
        Self {
            name: name.into(),
            parameters,
            unknown: Unknown::Refuse,
            by_hand: None,
            made: false,
            completed: BTreeMap::new(),
            schema: OnceLock::new(),
            trust: OnceLock::new(),
        }
    }

    /// Whether a parameter has that name.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.parameters.iter().any(|it| it.name == name)
    }

    /// The arguments of a definition without a signature, as a schema describes them.
    pub(crate) fn made(name: String, schema: Value) -> Self {
        Self {
            name: name.into(),
            parameters: &[],
            unknown: Unknown::Refuse,
            by_hand: None,
            made: true,
            completed: BTreeMap::new(),
            schema: schema.into(),
            trust: OnceLock::new(),
        }
    }

    /// The arguments as they are, once they fit the schema.
    pub(crate) fn read_object(
        &self,
        json: Option<&str>,
        params: &str,
    ) -> Result<(Map<String, Value>, Read), Refusal> {
        let (arguments, coercions) = repaired(&self.explained(params), json)?;
        let adjustments = Vec::new();
        Ok((
            arguments,
            Read {
                coercions,
                adjustments,
            },
        ))
    }

    /// Where the values of an argument come from; `None` if there is no such argument.
    pub(crate) fn candidates(&self, name: &str) -> Option<Candidates> {
        let mut parameters = self.parameters.iter();
        if let Some(parameter) = parameters.find(|parameter| parameter.name == name) {
            return Some(Candidates::Parameter(parameter));
        }
        let known = self.parameters.is_empty() && self.has(name);
        known.then(|| {
            let completed = self.completed.get(name).cloned();
            completed.unwrap_or(Candidates::Unknown)
        })
    }

    /// Completes an argument of a definition without a signature; `false` if
    /// there is none of that name.
    pub(crate) fn complete(&mut self, name: &str, candidates: Candidates) -> bool {
        let known = self.has(name);
        if known {
            self.completed.insert(name.to_owned(), candidates);
        }
        known
    }

    fn has(&self, name: &str) -> bool {
        let properties = self.schema().get("properties");
        properties.is_some_and(|properties| properties.get(name).is_some())
    }

    /// Whether any argument can be completed.
    pub(crate) fn completes(&self) -> bool {
        !self.completed.is_empty() || self.parameters.iter().any(Parameter::completes)
    }

    /// With another answer to arguments that no parameter takes.
    pub(crate) fn with_unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// With a schema written by hand instead of that of the types.
    pub(crate) fn with_schema(mut self, schema: Option<fn() -> Result<Value, String>>) -> Self {
        self.by_hand = schema;
        self
    }

    /// What is advertised, and what arguments are explained by.
    pub(crate) fn schema(&self) -> &Value {
        self.schema.get_or_init(|| match self.by_hand {
            // The start has seen to it that there is one.
            Some(schema) => schema().unwrap_or_else(|_| json!({ "type": "object" })),
            None => self.schema_of_types(),
        })
    }

    /// [`schema`](Self::schema) as JSON.
    pub(crate) fn schema_json(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Never the tree because it happens to be there: the order of its members is
        // another one where `serde_json` keeps that of their making.
        let has_types = self.by_hand.is_none() && !self.made;
        if !has_types || listed::write(&mut out, self.parameters, self.unknown).is_err() {
            out.clear();
            // A tree always serializes.
            let _ = serde_json::to_writer(&mut out, self.schema());
        }
        out
    }

    fn schema_of_types(&self) -> Value {
        let properties = self.parameters.iter().map(|parameter| Property {
            name: parameter.name,
            schema: parameter.advertised(),
            required: parameter.is_required(),
            default: parameter.default.map(Preset::told),
        });
        let mut schema = schema::object(properties);
        if let (Unknown::Ignore, Value::Object(schema)) = (self.unknown, &mut schema) {
            schema.remove("additionalProperties");
        }
        schema
    }

    /// Everything that would make calls fail whatever they bring.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let of_parameter = |parameter: &Parameter| {
            let mistakes = parameter.mistakes().into_iter();
            let name = parameter.name;
            mistakes.map(move |mistake| format!("argument `{name}`: {mistake}"))
        };
        let mut mistakes: Vec<String> = self.parameters.iter().flat_map(of_parameter).collect();
        match self.by_hand.map(|schema| schema()) {
            Some(Ok(schema)) => mistakes.extend(by_hand::mistakes(&schema, self.parameters)),
            Some(Err(mistake)) => mistakes.push(mistake),
            None => {}
        }
        mistakes
    }

    /// Fills the slots, and says what was changed in the arguments for that.
    ///
    /// The happy path reads the text as it came; only what it refuses is looked
    /// at twice. `params` is all that the request says, should `json` be missing.
    pub(crate) fn read(
        &self,
        json: Option<&str>,
        params: &str,
        slots: &mut dyn Slots,
    ) -> Result<Read, Refusal> {
        let text = json.filter(|json| *json != "null").unwrap_or("{}");
        let trusted = self.trust() != Trust::Partial;
        let mut done = Read::default();
        if !trusted || read::read(text, self.parameters, self.unknown, slots).is_err() {
            // What the fast way took may be what the slow way leaves out.
            slots.clear();
            done.coercions = explain(&self.explained(params), json, slots)?;
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            if let Some(slot) = slots.slot(index) {
                done.adjustments.extend(parameter.finish(slot));
            }
        }
        Ok(done)
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
            if self.by_hand.is_some() || self.parameters.iter().any(Parameter::is_loose) {
                return Trust::Partial;
            }
            let trusts = self.parameters.iter().map(Parameter::trust);
            trusts.max().unwrap_or(Trust::Exact)
        })
    }
}
