use std::collections::HashMap;

use serde_json::Value;

use super::requests::Request;
use crate::wire::{Revision, table::notification::LEVELS};

/// Constraints that earlier results impose on later ones.
#[derive(Clone, Debug, Default)]
pub(super) struct EarlierResults {
    /// The minimum log level of the session.
    level: usize,
    outputs: HashMap<(Revision, String), Value>,
    /// `cacheScope` by method and by the cursor of the next page.
    scopes: HashMap<(String, String), Value>,
}

impl EarlierResults {
    pub(super) fn set_level(&mut self, params: &Value) {
        if let Some(level) = params.get("level").and_then(level_of) {
            self.level = level;
        }
    }

    pub(super) fn is_enabled(&self, level: &Value) -> bool {
        level_of(level).is_none_or(|level| level >= self.level)
    }

    pub(super) fn record_output_schemas(&mut self, revision: Revision, list: &Value) {
        let tools = list.get("tools").and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            let name = tool.get("name").and_then(Value::as_str);
            if let (Some(name), Some(schema)) = (name, tool.get("outputSchema")) {
                let key = (revision, name.to_owned());
                self.outputs.insert(key, schema.clone());
            }
        }
    }

    /// Why the result violates the listed output schema of the tool, if so.
    pub(super) fn output_fault(
        &self,
        revision: Revision,
        call: &Request,
        result: &Value,
    ) -> Option<String> {
        let name = call.params.get("name")?.as_str()?;
        let schema = self.outputs.get(&(revision, name.to_owned()))?;
        if result.get("isError") == Some(&Value::Bool(true)) || result.get("content").is_none() {
            return None;
        }
        let Some(output) = result.get("structuredContent") else {
            return Some("is missing, though the tool has an output schema".to_owned());
        };
        match jsonschema::validator_for(schema) {
            Ok(validator) => validator
                .validate(output)
                .err()
                .map(|error| format!("violates the output schema of the tool: {error}")),
            // Reported already when the tool was listed.
            Err(_) => None,
        }
    }

    /// Checks that all pages of one list have the same scope.
    pub(super) fn scope_fault(&mut self, list: &Request, result: &Value) -> Option<String> {
        let scope = result.get("cacheScope")?;
        let cursor = list.params.get("cursor").and_then(Value::as_str);
        let before = cursor.and_then(|cursor| {
            let key = (list.method.clone(), cursor.to_owned());
            self.scopes.get(&key).cloned()
        });
        if let Some(next) = result.get("nextCursor").and_then(Value::as_str) {
            let key = (list.method.clone(), next.to_owned());
            self.scopes.insert(key, scope.clone());
        }
        let before = before.filter(|before| before != scope)?;
        Some(format!("must be {before} as on the previous page"))
    }
}

/// The severity of a log level.
pub(super) fn level_of(level: &Value) -> Option<usize> {
    LEVELS.iter().position(|name| level == name)
}
