//! Renames members that were sent under a serde alias (`#[serde(alias = "…")]`) to the name in the
//! schema.

use serde_json::Value;

use super::Parameter;
use crate::schema;

/// Replaces the aliases in the values of all parameters. Returns whether there were any aliases.
pub(super) fn replace(parameters: &[Parameter], arguments: &mut Value) -> bool {
    let mut replaced = false;
    for parameter in parameters {
        let type_schema = parameter.type_schema();
        if let Some(schema) = &type_schema.with_aliases
            && let Some(value) = arguments.get_mut(parameter.name)
        {
            replaced |= schema::replace_aliases(schema, value);
        }
    }
    replaced
}
