use serde_json::{Value, json};

use super::Wrap;
use crate::protocol::{Revision, Tool};

/// A tool as `revision` lists it.
pub(crate) fn tool(mut tool: Tool, revision: Revision) -> Tool {
    tool.output_schema = tool
        .output_schema
        .and_then(|schema| output_schema(schema, revision));
    if revision < Revision::V2025_11_25 {
        tool.icons = Vec::new();
    }
    if revision < Revision::V2025_06_18 {
        tool.title = None;
        tool.meta = None;
    }
    if revision < Revision::V2025_03_26 {
        tool.annotations = None;
    }
    tool
}

/// A schema whose root is no object would make strict older clients refuse the
/// whole list.
fn output_schema(schema: Value, revision: Revision) -> Option<Value> {
    if revision < Revision::V2025_06_18 {
        return None;
    }
    if Wrap::at(revision, || Some(&schema)) != Wrap::Always {
        return Some(schema);
    }
    Some(wrapped(schema))
}

/// `$defs` stay at the root, where references point.
fn wrapped(mut schema: Value) -> Value {
    let definitions = schema
        .as_object_mut()
        .and_then(|members| members.remove("$defs"));
    let mut root = json!({
        "type": "object",
        "properties": { "result": schema },
        "required": ["result"],
    });
    if let Some(definitions) = definitions {
        root["$defs"] = definitions;
    }
    root
}
