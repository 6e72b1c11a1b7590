use std::any::Any;
use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::of_type::OfType;
use super::preset::Preset;
use super::rule::{Adjust, Rule, tighten};
use super::{Adjustment, Complete, ToolArgument, slot};
use crate::schema::{self, Trust};

/// Beyond these an integer in a header is not the same number everywhere
/// (specification, *Transports*, `x-mcp-header`).
const SAFE: i64 = (1 << 53) - 1;

/// What is advertised of one owned parameter, and how its value is read.
///
/// Made in a constant by generated code.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// As schemars tells it, before it is made plain.
    pub(crate) schema: fn() -> Value,
    pub(crate) optional: fn() -> bool,
    read: Read,
    settle: fn(&mut dyn Any) -> bool,
    pub(crate) default: Option<&'static dyn Preset>,
    /// What completes its values while a person types.
    pub(crate) complete: Option<Complete>,
    pub(crate) example: Option<fn() -> Value>,
    pub(crate) rules: &'static [&'static dyn Rule],
    pub(crate) clamp: Option<&'static dyn Adjust>,
    /// Whether its value must not appear in logs, traces and audit records.
    pub(crate) secret: bool,
    /// The `{Name}` of the header `Mcp-Param-{Name}` that repeats its value.
    pub(crate) header: Option<&'static str>,
}

/// A parameter of type `T` named `name` on the wire.
#[must_use]
pub const fn tool_argument<T: ToolArgument>(
    name: &'static str,
    description: &'static str,
) -> Parameter {
    let reading = Parameter::read_by(
        told::<T>,
        slot::read::<T>,
        slot::settle::<T>,
        slot::is_optional::<T>,
    );
    reading.named(name, description)
}

fn told<T: JsonSchema>() -> Value {
    schema::of::<T>(schema::generator())
}

/// A default or an example as it is advertised; `null` if it cannot be written as JSON.
pub fn default_value<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

type Read = fn(&mut dyn Any, &str) -> Result<usize, serde_json::Error>;

impl Parameter {
    /// A parameter without a name, whose values are read in this way.
    pub(super) const fn read_by(
        schema: fn() -> Value,
        read: Read,
        settle: fn(&mut dyn Any) -> bool,
        optional: fn() -> bool,
    ) -> Self {
        Self {
            name: "",
            description: "",
            schema,
            optional,
            read,
            settle,
            default: None,
            complete: None,
            example: None,
            rules: &[],
            clamp: None,
            secret: false,
            header: None,
        }
    }

    /// With a name and a description.
    pub(super) const fn named(mut self, name: &'static str, description: &'static str) -> Self {
        self.name = name;
        self.description = description;
        self
    }

    /// With the value that stands for an absent argument.
    #[must_use]
    pub const fn with_default(mut self, default: &'static dyn Preset) -> Self {
        self.default = Some(default);
        self
    }

    /// With what completes its values while a person types.
    #[must_use]
    pub const fn with_completion(mut self, complete: Complete) -> Self {
        self.complete = Some(complete);
        self
    }

    /// The name on the wire.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The doc comment; empty where there is none.
    pub(crate) fn description(&self) -> &'static str {
        self.description
    }

    /// With a value that shows what is meant.
    #[must_use]
    pub const fn with_example(mut self, example: fn() -> Value) -> Self {
        self.example = Some(example);
        self
    }

    /// With limits on its values.
    #[must_use]
    pub const fn with_rules(mut self, rules: &'static [&'static dyn Rule]) -> Self {
        self.rules = rules;
        self
    }

    /// With a range that valid values are moved into.
    #[must_use]
    pub const fn with_clamp(mut self, clamp: &'static dyn Adjust) -> Self {
        self.clamp = Some(clamp);
        self
    }

    /// With a value that is kept out of logs, traces and audit records.
    #[must_use]
    pub const fn with_secret(mut self) -> Self {
        self.secret = true;
        self
    }

    /// With a header that repeats its value over HTTP.
    #[must_use]
    pub const fn with_header(mut self, name: &'static str) -> Self {
        self.header = Some(name);
        self
    }

    /// Reads one value from the front of `json` into its slot; returns how many
    /// bytes it took.
    pub(super) fn read(&self, slot: &mut dyn Any, json: &str) -> Result<usize, serde_json::Error> {
        (self.read)(slot, json)
    }

    /// Settles for an absent argument, if there is a value for that; a default
    /// comes once all arguments are known to be right.
    pub(super) fn settle(&self, slot: &mut dyn Any) -> bool {
        self.default.is_some() || (self.settle)(slot)
    }

    /// Whether the value in its slot satisfies every rule.
    pub(super) fn admits(&self, slot: &dyn Any) -> bool {
        self.rules.iter().all(|rule| rule.holds(slot))
    }

    /// Moves a value that was sent into its range, and puts the default where
    /// none was; tells what was moved.
    pub(super) fn finish(&self, slot: &mut dyn Any) -> Option<Adjustment> {
        let adjusted = self.clamp.and_then(|clamp| clamp.adjust(slot));
        if let Some(default) = self.default {
            default.fill(slot);
        }
        let name = self.name;
        adjusted.map(|(from, to)| Adjustment { name, from, to })
    }

    /// Whether nothing may show its value.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !(self.optional)()
    }

    /// Whether reading the value says less than is advertised of it.
    pub(super) fn is_loose(&self) -> bool {
        self.rules.iter().any(|rule| !rule.is_exact())
            || (self.header.is_some() && self.advertised() != self.before_header())
    }

    /// Whether more is advertised of it than its type, its description and its default.
    pub(super) fn has_keywords(&self) -> bool {
        !self.rules.is_empty() || self.example.is_some() || self.header.is_some()
    }

    /// The schema that clients see, without the default.
    pub(crate) fn advertised(&self) -> Value {
        let mut schema = self.before_header();
        if let (Value::Object(keywords), Some(_)) = (&mut schema, self.header)
            && keywords.get("type") == Some(&json!("integer"))
        {
            tighten(keywords, "minimum", (-SAFE).into());
            tighten(keywords, "maximum", SAFE.into());
        }
        schema
    }

    fn before_header(&self) -> Value {
        let mut schema = self.described();
        let Value::Object(keywords) = &mut schema else {
            return schema;
        };
        for rule in self.rules {
            rule.advertise(keywords);
        }
        if let Some(example) = self.example {
            keywords.insert("examples".to_owned(), json!([example()]));
        }
        if let Some(header) = self.header {
            keywords.insert("x-mcp-header".to_owned(), header.into());
        }
        schema
    }

    /// The plain schema of the type with the description of the parameter, which
    /// stands for the type's own as that of a field does.
    fn described(&self) -> Value {
        let description = self.told_description();
        let of_type = OfType::of(self.schema);
        of_type
            .described(description.as_deref())
            .unwrap_or_else(|| {
                let mut schema = (self.schema)();
                if let (Value::Object(schema), Some(description)) = (&mut schema, description) {
                    schema.insert("description".to_owned(), description.into());
                }
                schema::normalise(schema)
            })
    }

    pub(super) fn told_description(&self) -> Option<Cow<'static, str>> {
        let description: Cow<'static, str> = match self.clamp {
            None => self.description.trim().into(),
            Some(clamp) => {
                let told = format!("{} {}", self.description, clamp.told());
                told.trim().to_owned().into()
            }
        };
        (!description.is_empty()).then_some(description)
    }

    /// How far reading its type enforces the schema of the type.
    pub(super) fn trust(&self) -> Trust {
        OfType::of(self.schema).trust
    }

    /// Everything that is wrong with the parameter itself.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let rules = self.rules.iter().filter_map(|rule| rule.mistake());
        let clamp = self.clamp.and_then(Adjust::mistake);
        let mut mistakes: Vec<String> = rules.chain(clamp).collect();
        if !self.rules.is_empty() && mistakes.is_empty() {
            mistakes.extend(self.misfit("default", self.default.map(Preset::told)));
        }
        mistakes.extend(self.misfit("example", self.example.map(|example| example())));
        mistakes.extend(self.header.and_then(|header| self.unfit_for(header)));
        mistakes
    }

    fn misfit(&self, what: &str, value: Option<Value>) -> Option<String> {
        let value = value?;
        // `null` says that there is no value, which no rule refuses.
        let violated = !value.is_null() && !schema::check(&self.advertised(), &value).is_empty();
        violated.then(|| format!("its {what} `{value}` is against its own schema"))
    }

    /// A client drops a tool whose header is on anything but a plain scalar.
    fn unfit_for(&self, header: &str) -> Option<String> {
        const FIT: [&str; 3] = ["boolean", "integer", "string"];
        let schema = self.advertised();
        let kind = schema.get("type").and_then(Value::as_str);
        let fit = kind.is_some_and(|kind| FIT.contains(&kind));
        (!fit).then(|| format!("only text, whole numbers and booleans go into header `{header}`"))
    }
}
