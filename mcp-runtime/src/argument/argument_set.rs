use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::default_value::DefaultValue;
use super::validator::ArgumentValidator;
use super::{
    ArgumentChanges, CompletionSource, Parameter, Rejection, Slots, UnknownArguments, aliases,
    custom_schema, read, schema_text, unique_members,
};
use crate::schema::{self, Property, SerdeStrictness};

/// The arguments that one tool, prompt or resource declares, and their schema, which is built on
/// first use.
#[derive(Debug)]
pub(crate) struct ArgumentSet {
    name: Cow<'static, str>,
    pub(crate) parameters: &'static [Parameter],
    unknown: UnknownArguments,
    custom_schema: Option<fn() -> Result<Value, String>>,
    /// Whether the definition was added at run time and has its own schema.
    is_dynamic: bool,
    /// The completion sources by argument name, for a definition without a function signature.
    completions: BTreeMap<String, CompletionSource>,
    schema: OnceLock<Value>,
    strictness: OnceLock<SerdeStrictness>,
}

impl ArgumentSet {
    /// Creates the arguments of a function with these parameters.
    pub(crate) fn new(name: &'static str, parameters: &'static [Parameter]) -> Self {
        Self {
            name: name.into(),
            parameters,
            unknown: UnknownArguments::Reject,
            custom_schema: None,
            is_dynamic: false,
            completions: BTreeMap::new(),
            schema: OnceLock::new(),
            strictness: OnceLock::new(),
        }
    }

    /// Creates the arguments of a dynamic definition, which has a schema and no function signature.
    pub(crate) fn dynamic(name: String, schema: Value) -> Self {
        Self {
            name: name.into(),
            parameters: &[],
            unknown: UnknownArguments::Reject,
            custom_schema: None,
            is_dynamic: true,
            completions: BTreeMap::new(),
            schema: schema.into(),
            strictness: OnceLock::new(),
        }
    }

    /// Whether a parameter has this name.
    pub(crate) fn has_parameter(&self, name: &str) -> bool {
        self.parameters.iter().any(|it| it.name == name)
    }

    /// Coerces the arguments and returns them as a JSON object that matches the schema.
    pub(crate) fn read_object(
        &self,
        json: Option<&str>,
        params: &str,
    ) -> Result<(Map<String, Value>, ArgumentChanges), Rejection> {
        let (arguments, coercions) = self.validator(params).coerce(json)?;
        let adjustments = Vec::new();
        Ok((
            arguments,
            ArgumentChanges {
                coercions,
                adjustments,
            },
        ))
    }

    /// Returns the completion source of an argument, or `None` if there is no such argument.
    pub(crate) fn completion_source(&self, name: &str) -> Option<CompletionSource> {
        let mut parameters = self.parameters.iter();
        if let Some(parameter) = parameters.find(|parameter| parameter.name == name) {
            return Some(CompletionSource::Parameter(parameter));
        }
        let known = self.parameters.is_empty() && self.has_property(name);
        known.then(|| {
            let source = self.completions.get(name).cloned();
            source.unwrap_or(CompletionSource::None)
        })
    }

    /// Sets the completion source of an argument of a definition without a function signature.
    /// Returns `false` if there is no such argument.
    pub(crate) fn set_completion(&mut self, name: &str, source: CompletionSource) -> bool {
        let known = self.has_property(name);
        if known {
            self.completions.insert(name.to_owned(), source);
        }
        known
    }

    /// Whether the schema has a property of this name, at any depth.
    pub(crate) fn names_property(&self, name: &str) -> bool {
        schema::names_property(self.schema(), name)
    }

    fn has_property(&self, name: &str) -> bool {
        let properties = self.schema().get("properties");
        properties.is_some_and(|properties| properties.get(name).is_some())
    }

    /// Whether any argument has a completion source.
    pub(crate) fn has_completions(&self) -> bool {
        !self.completions.is_empty() || self.parameters.iter().any(Parameter::has_completion)
    }

    /// Sets whether arguments that match no parameter are rejected or ignored.
    pub(crate) fn with_unknown(mut self, unknown: UnknownArguments) -> Self {
        self.unknown = unknown;
        self
    }

    /// Replaces the schema that is generated from the parameter types with a custom schema.
    pub(crate) fn with_schema(mut self, schema: Option<fn() -> Result<Value, String>>) -> Self {
        self.custom_schema = schema;
        self
    }

    /// Returns the schema that clients receive and that arguments are checked against.
    pub(crate) fn schema(&self) -> &Value {
        self.schema.get_or_init(|| match self.custom_schema {
            // `definition_errors` already reported this error when the server started.
            Some(schema) => schema().unwrap_or_else(|_| json!({ "type": "object" })),
            None => self.schema_of_types(),
        })
    }

    /// Returns [`schema`](Self::schema) as JSON text.
    pub(crate) fn schema_json(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // The text is not serialized from the tree, even if the tree exists, because the members of
        // the tree have another order if `serde_json` preserves insertion order.
        let has_types = self.custom_schema.is_none() && !self.is_dynamic;
        if !has_types || schema_text::write(&mut out, self.parameters, self.unknown).is_err() {
            out.clear();
            // Serializing a `Value` into a `Vec` cannot fail.
            let _ = serde_json::to_writer(&mut out, self.schema());
        }
        out
    }

    fn schema_of_types(&self) -> Value {
        let properties = self.parameters.iter().map(|parameter| Property {
            name: parameter.name,
            schema: parameter.advertised_schema(),
            required: parameter.is_required(),
            default: parameter.default.map(DefaultValue::to_json),
        });
        let mut schema = schema::object_schema(properties);
        if let (UnknownArguments::Ignore, Value::Object(schema)) = (self.unknown, &mut schema) {
            schema.remove("additionalProperties");
        }
        schema
    }

    /// Returns the mistakes in the definition that would make every call fail.
    pub(crate) fn definition_errors(&self) -> Vec<String> {
        let of_parameter = |parameter: &Parameter| {
            let errors = parameter.definition_errors().into_iter();
            let name = parameter.name;
            errors.map(move |error| format!("argument `{name}`: {error}"))
        };
        let mut errors: Vec<String> = self.parameters.iter().flat_map(of_parameter).collect();
        match self.custom_schema.map(|schema| schema()) {
            Some(Ok(schema)) => errors.extend(custom_schema::errors(&schema, self.parameters)),
            Some(Err(error)) => errors.push(error),
            None => {}
        }
        errors
    }

    /// Fills the slots and returns the changes that were made to the arguments.
    ///
    /// The fast path reads the text without changes. The validator handles all arguments that the
    /// fast path does not accept. `params` is the raw `params` of the request, which is used for a
    /// hint if `json` is missing.
    pub(crate) fn read(
        &self,
        json: Option<&str>,
        params: &str,
        slots: &mut dyn Slots,
    ) -> Result<ArgumentChanges, Rejection> {
        let text = json.filter(|json| *json != "null").unwrap_or("{}");
        let mut changes = ArgumentChanges::default();
        let is_read = read::read(text, self.parameters, self.unknown, slots).is_ok()
            && (self.strictness() != SerdeStrictness::Partial || self.is_valid(text));
        if !is_read {
            // The fast path may have filled slots that the validator would leave empty.
            slots.clear();
            changes = self.validator(params).read(json, slots)?;
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            if let Some(slot) = slots.slot(index) {
                changes.adjustments.extend(parameter.finish(slot));
            }
        }
        Ok(changes)
    }

    /// Whether the arguments match the schema without coercion.
    fn is_valid(&self, text: &str) -> bool {
        let Ok(mut arguments) = unique_members::parse(text) else {
            return false;
        };
        aliases::replace(self.parameters, &mut arguments);
        schema::check(self.schema(), &arguments).is_empty()
    }

    /// Returns the mistakes in the parameter types that make every call fail. Only the `check`
    /// command searches for them, because the search builds the schemas of all types.
    #[cfg(feature = "cli")]
    pub(crate) fn type_errors(&self) -> Vec<String> {
        let error = |parameter: &Parameter| {
            let error = parameter.type_error()?;
            Some(format!("argument `{}`: {error}", parameter.name))
        };
        self.parameters.iter().filter_map(error).collect()
    }

    fn validator<'a>(&'a self, params: &'a str) -> ArgumentValidator<'a> {
        ArgumentValidator {
            name: &self.name,
            schema: self.schema(),
            parameters: self.parameters,
            has_custom_schema: self.custom_schema.is_some(),
            params,
        }
    }

    /// Returns how strictly deserialization enforces the advertised schema.
    fn strictness(&self) -> SerdeStrictness {
        *self.strictness.get_or_init(|| {
            let is_inexact = |it: &Parameter| it.allows_more_than_schema();
            if self.custom_schema.is_some() || self.parameters.iter().any(is_inexact) {
                return SerdeStrictness::Partial;
            }
            let strictnesses = self.parameters.iter().map(Parameter::strictness);
            strictnesses.max().unwrap_or(SerdeStrictness::Exact)
        })
    }
}
