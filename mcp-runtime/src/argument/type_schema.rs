//! A process-wide cache of the schemas of parameter types. The parameters of a server's tools share
//! a small number of types.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use serde_json::Value;

use crate::schema::{self, SerdeStrictness};

/// The cached schemas by the function that returns the schema. If the linker merges the functions
/// of two types, both types have the same schema.
type TypeSchemaCache = HashMap<fn() -> Value, Arc<TypeSchema>>;

static CACHE: LazyLock<RwLock<TypeSchemaCache>> = LazyLock::new(RwLock::default);

/// The schema of a parameter type, and the properties that are derived from it.
#[derive(Debug)]
pub(super) struct TypeSchema {
    /// The doc comment of the type.
    pub(super) description: Option<Value>,
    /// The normalized schema without the description. It is `None` if normalization moves
    /// descriptions. In this case, the schema must be normalized again with the description of each
    /// parameter.
    normalized: Option<Value>,
    /// The members of `normalized` as JSON, sorted by name. It is also `None` if there are `$defs`,
    /// which belong at the root of the document.
    pub(super) members: Option<Vec<(String, String)>>,
    /// How strictly deserialization of the type enforces the schema.
    pub(super) strictness: SerdeStrictness,
    /// The generated schema before normalization, if it has aliases.
    pub(super) with_aliases: Option<Value>,
    /// The reason why no value of the type can be read, or why the type has no schema.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "only the command `check` reports it")
    )]
    pub(super) error: Option<String>,
}

impl TypeSchema {
    /// Returns the cached schema of the type whose schema function is `schema`.
    pub(super) fn of(schema: fn() -> Value) -> Arc<Self> {
        let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = cache.get(&schema) {
            return Arc::clone(cached);
        }
        drop(cache);
        let new = Arc::new(Self::new(schema()));
        let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cache.entry(schema).or_insert(new))
    }

    fn new(mut schema: Value) -> Self {
        let strictness = schema::serde_strictness(&schema);
        let with_aliases = schema::has_aliases(&schema).then(|| schema.clone());
        let error = type_error(&schema);
        let description = schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"));
        let normalized = schema::normalize_input(schema);
        let normalized = normalized
            .get("description")
            .is_none()
            .then_some(normalized);
        Self {
            description,
            members: normalized.as_ref().and_then(members),
            normalized,
            strictness,
            with_aliases,
            error,
        }
    }

    /// Returns the normalized schema with this description, or with the description of the type if
    /// `description` is `None`.
    pub(super) fn with_description(&self, description: Option<&str>) -> Option<Value> {
        let mut schema = self.normalized.clone()?;
        let description = description.map(Value::from);
        let description = description.or_else(|| self.description.clone());
        if let (Value::Object(schema), Some(description)) = (&mut schema, description) {
            schema.insert("description".to_owned(), description);
        }
        Some(schema)
    }
}

fn type_error(schema: &Value) -> Option<String> {
    if let Some(name) = schema.get(schema::FAILURE).and_then(Value::as_str) {
        return Some(format!("the schema function of `{name}` panicked"));
    }
    let path = schema::unreadable_integer(schema)?;
    Some(format!(
        "a 128-bit integer in a tagged or untagged enum can never be read, at `{path}` in \
         the schema of the type; use a string or a 64-bit integer"
    ))
}

fn members(schema: &Value) -> Option<Vec<(String, String)>> {
    let members = schema.as_object().filter(|it| !it.contains_key("$defs"))?;
    let members = members
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()));
    let mut members: Vec<_> = members.collect();
    members.sort();
    Some(members)
}
