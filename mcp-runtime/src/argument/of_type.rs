//! What is known of the type of a parameter, found out once a process: a server
//! has many tools, and few types.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use serde_json::Value;

use crate::schema::{self, Trust};

/// By the function that tells the schema. Two types for which the linker keeps one
/// function have one schema.
type Known = HashMap<fn() -> Value, Arc<OfType>>;

static KNOWN: LazyLock<RwLock<Known>> = LazyLock::new(RwLock::default);

/// A type as it can be taken from a caller.
#[derive(Debug)]
pub(super) struct OfType {
    /// What its doc comment says.
    pub(super) description: Option<Value>,
    /// Its schema made plain; `None` if that moves descriptions, so that it has to
    /// be done again with the description of each parameter.
    plain: Option<Value>,
    /// The members of that as JSON, by their sorted names; `None` also where it has
    /// definitions, which belong elsewhere.
    pub(super) members: Option<Vec<(String, String)>>,
    /// How far reading the type enforces the schema.
    pub(super) trust: Trust,
}

impl OfType {
    /// What is known of the type whose schema this function tells.
    pub(super) fn of(told: fn() -> Value) -> Arc<Self> {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&told) {
            return Arc::clone(known);
        }
        drop(known);
        let made = Arc::new(Self::made(told()));
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(told).or_insert(made))
    }

    fn made(mut told: Value) -> Self {
        let trust = schema::trust(&told);
        let description = told
            .as_object_mut()
            .and_then(|told| told.remove("description"));
        let plain = schema::normalise(told);
        let plain = plain.get("description").is_none().then_some(plain);
        Self {
            description,
            members: plain.as_ref().and_then(members),
            plain,
            trust,
        }
    }

    /// The plain schema, described as a parameter is, or else as the type is.
    pub(super) fn described(&self, description: Option<&str>) -> Option<Value> {
        let mut schema = self.plain.clone()?;
        let description = description.map(Value::from);
        let description = description.or_else(|| self.description.clone());
        if let (Value::Object(schema), Some(description)) = (&mut schema, description) {
            schema.insert("description".to_owned(), description);
        }
        Some(schema)
    }
}

fn members(plain: &Value) -> Option<Vec<(String, String)>> {
    let members = plain.as_object().filter(|it| !it.contains_key("$defs"))?;
    let members = members
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()));
    let mut members: Vec<_> = members.collect();
    members.sort();
    Some(members)
}
