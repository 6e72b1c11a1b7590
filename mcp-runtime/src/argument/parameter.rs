use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::coerce::Coercion;
use super::default_value::DefaultValue;
use super::rule::{Clamp, Rule, tighten};
use super::type_schema::TypeSchema;
use super::{CompletionFn, ToolArgument, slot};
use crate::schema::{self, SerdeStrictness};

/// The largest integer that every JSON parser represents exactly. It is the limit for integers in
/// headers (specification, *Transports*, `x-mcp-header`).
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// One parameter of a function that takes its value from the client: its schema, and the function
/// that reads the value.
///
/// Generated code creates it in a constant.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// Returns the schema of the type as schemars generates it, before it is normalized.
    pub(crate) schema: fn() -> Value,
    pub(crate) optional: fn() -> bool,
    read: ReadFn,
    fill_absent: fn(&mut dyn Any) -> bool,
    pub(crate) default: Option<&'static dyn DefaultValue>,
    /// The function that suggests values while a user types.
    pub(crate) complete: Option<CompletionFn>,
    pub(crate) example: Option<fn() -> Value>,
    pub(crate) rules: &'static [&'static dyn Rule],
    pub(crate) clamp: Option<&'static dyn Clamp>,
    /// Whether the value must not appear in logs, traces and audit records.
    pub(crate) secret: bool,
    /// The `{Name}` of the header `Mcp-Param-{Name}` that repeats the value.
    pub(crate) header: Option<&'static str>,
}

/// Creates a parameter of type `T` that has the name `name` in the protocol.
#[must_use]
pub const fn tool_argument<T: ToolArgument>(
    name: &'static str,
    description: &'static str,
) -> Parameter {
    let unnamed = Parameter::unnamed(
        schema_of::<T>,
        slot::read::<T>,
        slot::fill_absent::<T>,
        slot::is_optional::<T>,
    );
    unnamed.with_name(name, description)
}

fn schema_of<T: JsonSchema>() -> Value {
    schema::schema_of::<T>(schema::input_generator())
}

type ReadFn = fn(&mut dyn Any, &str) -> Result<usize, serde_json::Error>;

/// The change of a value that `clamp` moved into its range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adjustment {
    /// The name of the argument.
    pub(crate) name: &'static str,
    pub(crate) from: Value,
    pub(crate) to: Value,
}

/// The changes that were made to the arguments of a call before its handler received them.
#[derive(Debug, Default)]
pub(crate) struct ArgumentChanges {
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) adjustments: Vec<Adjustment>,
}

impl Parameter {
    /// Creates a parameter without a name.
    pub(super) const fn unnamed(
        schema: fn() -> Value,
        read: ReadFn,
        fill_absent: fn(&mut dyn Any) -> bool,
        optional: fn() -> bool,
    ) -> Self {
        Self {
            name: "",
            description: "",
            schema,
            optional,
            read,
            fill_absent,
            default: None,
            complete: None,
            example: None,
            rules: &[],
            clamp: None,
            secret: false,
            header: None,
        }
    }

    /// Sets the name and the description.
    pub(super) const fn with_name(mut self, name: &'static str, description: &'static str) -> Self {
        self.name = name;
        self.description = description;
        self
    }

    /// Sets the default, which is used if the argument is absent.
    #[must_use]
    pub const fn with_default(mut self, default: &'static dyn DefaultValue) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets the function that suggests values while a user types.
    #[must_use]
    pub const fn with_completion(mut self, complete: CompletionFn) -> Self {
        self.complete = Some(complete);
        self
    }

    /// Returns the name of the parameter in the protocol.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the doc comment of the parameter, which may be empty.
    pub(crate) fn description(&self) -> &'static str {
        self.description
    }

    /// Adds an example to the schema.
    #[must_use]
    pub const fn with_example(mut self, example: fn() -> Value) -> Self {
        self.example = Some(example);
        self
    }

    /// Sets the rules that values must satisfy.
    #[must_use]
    pub const fn with_rules(mut self, rules: &'static [&'static dyn Rule]) -> Self {
        self.rules = rules;
        self
    }

    /// Sets a range. A value outside of the range is moved to the nearer bound.
    #[must_use]
    pub const fn with_clamp(mut self, clamp: &'static dyn Clamp) -> Self {
        self.clamp = Some(clamp);
        self
    }

    /// Excludes the value from logs, traces and audit records.
    #[must_use]
    pub const fn with_secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// Sets the HTTP header that repeats the value.
    #[must_use]
    pub const fn with_header(mut self, name: &'static str) -> Self {
        self.header = Some(name);
        self
    }

    /// Reads one value from the start of `json` into its slot, and returns the length of the
    /// value's text in bytes.
    pub(super) fn read(&self, slot: &mut dyn Any, json: &str) -> Result<usize, serde_json::Error> {
        (self.read)(slot, json)
    }

    /// Fills the slot of an absent argument. Returns `false` if the argument is required. A default
    /// value is filled in later by [`finish`](Self::finish).
    pub(super) fn fill_absent(&self, slot: &mut dyn Any) -> bool {
        self.default.is_some() || (self.fill_absent)(slot)
    }

    /// Whether the value in the slot satisfies every rule.
    pub(super) fn satisfies_rules(&self, slot: &dyn Any) -> bool {
        self.rules.iter().all(|rule| rule.is_satisfied(slot))
    }

    /// Clamps the value in the slot, or fills an empty slot with the default. Returns the
    /// adjustment if the value was clamped.
    pub(super) fn finish(&self, slot: &mut dyn Any) -> Option<Adjustment> {
        let clamped = self.clamp.and_then(|clamp| clamp.clamp(slot));
        if let Some(default) = self.default {
            default.fill(slot);
        }
        let name = self.name;
        clamped.map(|(from, to)| Adjustment { name, from, to })
    }

    /// Whether the value must not appear in logs, traces and audit records.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !(self.optional)()
    }

    /// Whether `read` accepts values that violate the advertised schema.
    pub(super) fn allows_more_than_schema(&self) -> bool {
        self.rules.iter().any(|rule| !rule.is_exact())
            || (self.header.is_some()
                && self.advertised_schema() != self.schema_without_header_limits())
    }

    /// Whether the schema of the parameter has keywords other than those of its type, the
    /// description and the default.
    pub(super) fn has_keywords(&self) -> bool {
        !self.rules.is_empty() || self.example.is_some() || self.header.is_some()
    }

    /// Returns the schema that clients receive, without the default.
    pub(crate) fn advertised_schema(&self) -> Value {
        let mut schema = self.schema_without_header_limits();
        if let (Value::Object(keywords), Some(_)) = (&mut schema, self.header)
            && keywords.get("type") == Some(&json!("integer"))
        {
            tighten(keywords, "minimum", (-MAX_SAFE_INTEGER).into());
            tighten(keywords, "maximum", MAX_SAFE_INTEGER.into());
        }
        schema
    }

    fn schema_without_header_limits(&self) -> Value {
        let mut schema = self.described_schema();
        let Value::Object(keywords) = &mut schema else {
            return schema;
        };
        for rule in self.rules {
            rule.write_schema(keywords);
        }
        if let Some(example) = self.example {
            keywords.insert("examples".to_owned(), json!([example()]));
        }
        if let Some(header) = self.header {
            keywords.insert("x-mcp-header".to_owned(), header.into());
        }
        schema
    }

    /// Returns the normalized schema of the type. The description of the parameter replaces the
    /// description of the type.
    fn described_schema(&self) -> Value {
        let description = self.full_description();
        let type_schema = TypeSchema::of(self.schema);
        type_schema
            .with_description(description.as_deref())
            .unwrap_or_else(|| {
                let mut schema = (self.schema)();
                if let (Value::Object(schema), Some(description)) = (&mut schema, description) {
                    schema.insert("description".to_owned(), description.into());
                }
                schema::normalize_input(schema)
            })
    }

    /// Returns the doc comment, followed by a sentence about the range if there is a `clamp`.
    pub(super) fn full_description(&self) -> Option<Cow<'static, str>> {
        let description: Cow<'static, str> = match self.clamp {
            None => self.description.trim().into(),
            Some(clamp) => {
                let text = format!("{} {}", self.description, clamp.describe());
                text.trim().to_owned().into()
            }
        };
        (!description.is_empty()).then_some(description)
    }

    /// Returns how strictly deserialization of the type enforces its schema.
    pub(super) fn strictness(&self) -> SerdeStrictness {
        TypeSchema::of(self.schema).strictness
    }

    /// Returns the cached schema of the type.
    pub(super) fn type_schema(&self) -> Arc<TypeSchema> {
        TypeSchema::of(self.schema)
    }

    /// Returns the reason why no value of the type can be read, if there is one.
    #[cfg(feature = "cli")]
    pub(super) fn type_error(&self) -> Option<String> {
        self.type_schema().error.clone()
    }

    /// Whether every value that the type accepts matches the schema of the type.
    pub(super) fn enforces_schema(&self) -> bool {
        self.strictness() != SerdeStrictness::Partial && !self.allows_more_than_schema()
    }

    /// Returns the mistakes in the declaration of the parameter.
    pub(super) fn definition_errors(&self) -> Vec<String> {
        let rules = self.rules.iter().filter_map(|rule| rule.definition_error());
        let clamp = self.clamp.and_then(Clamp::definition_error);
        let mut errors: Vec<String> = rules.chain(clamp).collect();
        if !self.rules.is_empty() && errors.is_empty() {
            let default = self.default.map(DefaultValue::to_json);
            errors.extend(self.schema_error("default", default));
        }
        errors.extend(self.schema_error("example", self.example.map(|example| example())));
        errors.extend(self.header.and_then(|header| self.header_error(header)));
        errors
    }

    fn schema_error(&self, key: &str, value: Option<Value>) -> Option<String> {
        let value = value?;
        // `null` stands for an absent value, and an absent value satisfies every rule.
        let violated =
            !value.is_null() && !schema::check(&self.advertised_schema(), &value).is_empty();
        violated.then(|| format!("its {key} `{value}` violates its own schema"))
    }

    /// Returns an error if the schema of the header value is not that of a scalar. Clients ignore
    /// tools with other header values.
    fn header_error(&self, header: &str) -> Option<String> {
        const SCALARS: [&str; 3] = ["boolean", "integer", "string"];
        let schema = self.advertised_schema();
        let kind = schema.get("type").and_then(Value::as_str);
        let is_scalar = kind.is_some_and(|kind| SCALARS.contains(&kind));
        (!is_scalar)
            .then(|| format!("only strings, integers and booleans can be in header `{header}`"))
    }
}
