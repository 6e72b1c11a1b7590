//! The JSON Schemas of tools.

use serde_json::{Map, Value};

use super::{ANY_OBJECT, Object, OtherKeys, Shape, TEXT, member, object};
use crate::wire::{Revision, Rule, check::Checker};

/// Until 2025-11-25 every property is an object, never `true` or `false`.
static ROOT: Object = object(
    "inputSchema",
    &[
        member("$schema", b"ooooo", TEXT),
        member("type", b"RRRRR", Shape::Literal("object")),
        member("properties", b"oooo.", Shape::Map(&ANY_OBJECT)),
        member("properties", b"....o", Shape::Map(&Shape::Any)),
        member("required", b"ooooo", Shape::List(&TEXT)),
    ],
)
.with_other_keys(OtherKeys::Allowed);

pub(crate) fn check_input(schema: &Value, checker: &mut Checker) {
    checker.object(schema, &ROOT);
    check_dialect(schema, checker);
    if checker.revision >= Revision::V2026_07_28 {
        let mut names = Vec::new();
        check_headers(schema, SchemaPath::Root, &mut names, checker);
    }
}

/// From 2026-07-28 on the root may be any schema.
pub(crate) fn check_output(schema: &Value, checker: &mut Checker) {
    if checker.revision < Revision::V2026_07_28 {
        checker.object(schema, &ROOT);
    }
    check_dialect(schema, checker);
}

fn check_dialect(schema: &Value, checker: &mut Checker) {
    if let Err(error) = jsonschema::meta::options().validate(schema) {
        let fault = format!("is no valid JSON Schema: {error}");
        checker.report(Rule::Value, fault);
    }
}

/// The path from the root of `inputSchema` to a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SchemaPath {
    Root,
    /// By `properties` alone.
    Property,
    /// Through a keyword below which headers are not allowed.
    Indirect,
}

fn check_headers(schema: &Value, path: SchemaPath, names: &mut Vec<String>, checker: &mut Checker) {
    match schema {
        Value::Array(schemas) => {
            for (index, schema) in schemas.iter().enumerate() {
                checker.at(&index.to_string(), |checker| {
                    check_headers(schema, SchemaPath::Indirect, names, checker);
                });
            }
        }
        Value::Object(members) => {
            if let Some(header) = members.get("x-mcp-header") {
                let fault = header_fault(header, members, path, names);
                if let Some(fault) = fault {
                    checker.report_at(&["x-mcp-header"], Rule::Value, fault);
                }
            }
            for (keyword, value) in members {
                checker.at(keyword, |checker| {
                    check_keyword(keyword, value, path, names, checker);
                });
            }
        }
        _ => {}
    }
}

fn check_keyword(
    keyword: &str,
    value: &Value,
    path: SchemaPath,
    names: &mut Vec<String>,
    checker: &mut Checker,
) {
    let path = match keyword {
        "default" | "enum" | "const" | "examples" | "x-mcp-header" => return,
        "properties" if path != SchemaPath::Indirect => SchemaPath::Property,
        _ => SchemaPath::Indirect,
    };
    let holds_schemas_by_name = matches!(
        keyword,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
    );
    match value.as_object() {
        Some(schemas) if holds_schemas_by_name => {
            for (name, schema) in schemas {
                checker.at(name, |checker| check_headers(schema, path, names, checker));
            }
        }
        _ => check_headers(value, path, names, checker),
    }
}

fn header_fault(
    header: &Value,
    property: &Map<String, Value>,
    path: SchemaPath,
    names: &mut Vec<String>,
) -> Option<&'static str> {
    let Some(name) = header.as_str().filter(|name| is_token(name)) else {
        return Some("must be an HTTP token (RFC 9110)");
    };
    let name = name.to_ascii_lowercase();
    if names.contains(&name) {
        return Some("names a header that another property has");
    }
    names.push(name);
    let kind = property.get("type").and_then(Value::as_str);
    if path != SchemaPath::Property {
        Some("must be reached through `properties` alone")
    } else if !matches!(kind, Some("string" | "integer" | "boolean")) {
        Some("needs a property of type string, integer or boolean")
    } else {
        None
    }
}

fn is_token(name: &str) -> bool {
    let is_mark = |it: u8| b"!#$%&'*+-.^_`|~".contains(&it);
    !name.is_empty()
        && name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || is_mark(it))
}
