#![allow(dead_code)]

use super::super::{Property, input_generator, normalize_input, object_schema, schema_of};
use super::{check, check_output, pretty};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A place.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Place {
    /// Its name.
    name: String,
    height: Option<u8>,
    #[serde(default)]
    known: bool,
    #[serde(default)]
    note: Option<String>,
}

fn place() -> Value {
    json!({
        "description": "A place.",
        "type": "object",
        "properties": {
            "name": {"description": "Its name.", "type": "string"},
            "height": {"type": "integer", "minimum": 0, "maximum": 255},
            "known": {"type": "boolean", "default": false},
            "note": {"type": "string"},
        },
        "required": ["name"],
    })
}

#[derive(JsonSchema)]
struct Journey {
    /// Where it starts.
    from: Place,
    to: Option<Place>,
}

#[derive(JsonSchema)]
struct Wrapper<T> {
    inner: T,
    other: Option<T>,
}

#[test]
fn structs_are_inlined_at_every_depth() {
    check::<Place>(place());
    check::<Option<Place>>(place());
    let mut from = place();
    from["description"] = json!("Where it starts.");
    check::<Journey>(json!({
        "type": "object",
        "properties": {"from": from, "to": place()},
        "required": ["from"],
    }));
    check::<Wrapper<Wrapper<bool>>>(json!({
        "type": "object",
        "properties": {"inner": wrapped_bool(), "other": wrapped_bool()},
        "required": ["inner"],
    }));
}

fn wrapped_bool() -> Value {
    json!({
        "type": "object",
        "properties": {"inner": {"type": "boolean"}, "other": {"type": "boolean"}},
        "required": ["inner"],
    })
}

#[test]
fn returned_structs_keep_null() {
    let nullable = |schema: Value| json!([schema, {"type": "null"}]);
    check_output::<Place>(json!({
        "description": "A place.",
        "type": "object",
        "properties": {
            "name": {"description": "Its name.", "type": "string"},
            "height": {"anyOf": nullable(json!({"type": "integer", "minimum": 0, "maximum": 255}))},
            "known": {"type": "boolean", "default": false},
            "note": {"anyOf": nullable(json!({"type": "string"})), "default": null},
        },
        "required": ["name", "height", "known", "note"],
    }));
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: bool,
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClosedFlat {
    a: bool,
    #[serde(flatten)]
    place: Place,
}

#[derive(JsonSchema)]
struct Newtype(String);

#[derive(JsonSchema)]
struct Unit;

#[test]
fn closed_structs_have_additional_properties_false() {
    let mut closed = json!({
        "type": "object",
        "properties": {"a": {"type": "boolean"}},
        "required": ["a"],
        "additionalProperties": false,
    });
    check::<Closed>(closed.clone());
    let place = place();
    for (name, schema) in place["properties"].as_object().into_iter().flatten() {
        closed["properties"][name] = schema.clone();
    }
    closed["description"] = json!("A place.");
    closed["required"] = json!(["a", "name"]);
    check::<ClosedFlat>(closed);
}

#[test]
fn newtypes_have_the_schema_of_their_field() {
    check::<Newtype>(json!({"type": "string"}));
    check::<Unit>(json!({"type": "null"}));
}

#[derive(JsonSchema)]
struct Limited {
    #[schemars(range(min = 1, max = 10))]
    count: i64,
    #[schemars(range(max = 1000))]
    small: u8,
    #[schemars(length(min = 1, max = 5), regex(pattern = "^a"))]
    text: String,
    #[schemars(title = "Your mail", email, example = "a@example.org")]
    mail: String,
}

#[test]
fn constraints_are_limited_to_the_integer_width() {
    check::<Limited>(json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 10},
            "small": {"type": "integer", "minimum": 0, "maximum": 255},
            "text": {"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^a"},
            "mail": {
                "title": "Your mail",
                "type": "string",
                "format": "email",
                "examples": ["a@example.org"],
            },
        },
        "required": ["count", "small", "text", "mail"],
    }));
}

#[derive(JsonSchema)]
struct Tree {
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

fn tree() -> Value {
    json!({
        "type": "object",
        "properties": {
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            "next": {"$ref": "#/$defs/Tree"},
        },
        "required": ["children"],
    })
}

#[test]
fn recursive_types_stay_under_defs() {
    let mut expected = tree();
    expected["$defs"] = json!({"Tree": tree()});
    check::<Tree>(expected.clone());
    check::<Option<Tree>>(expected);
    check::<Vec<Tree>>(json!({"type": "array", "items": tree(), "$defs": {"Tree": tree()}}));
}

#[test]
fn definitions_that_are_not_recursive_are_inlined() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pair",
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/Name", "description": "First."}},
        "$defs": {"Name": {"type": "string", "description": "A name."}},
    });
    let expected = json!({
        "type": "object",
        "properties": {"a": {"description": "First.", "type": "string"}},
    });
    assert_eq!(normalize_input(schema), expected);
}

#[test]
fn a_reference_to_the_root_becomes_a_definition() {
    let schema = json!({
        "title": "Node",
        "type": "object",
        "properties": {"next": {"$ref": "#"}},
    });
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}});
    let mut expected = node.clone();
    expected["$defs"] = json!({"Node": node});
    assert_eq!(normalize_input(schema), expected);
}

fn property(name: &str, schema: Value) -> Property<'_> {
    Property {
        name,
        schema,
        required: false,
        default: None,
    }
}

#[test]
fn an_object_without_properties_has_empty_properties() {
    let expected = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(object_schema([]), expected);
}

#[test]
fn properties_come_with_their_defaults() {
    let schema = object_schema([
        Property {
            required: true,
            ..property("b", json!({"type": "boolean"}))
        },
        Property {
            default: Some(json!(7)),
            ..property("a", json!({"type": "integer"}))
        },
    ]);
    let expected = json!({
        "type": "object",
        "properties": {"a": {"type": "integer", "default": 7}, "b": {"type": "boolean"}},
        "required": ["b"],
        "additionalProperties": false,
    });
    assert_eq!(schema, expected);
}

#[test]
fn definitions_are_hoisted_to_the_root_once() {
    let schema = || normalize_input(schema_of::<Tree>(input_generator()));
    let root = object_schema([property("a", schema()), property("b", schema())]);
    assert_eq!(pretty(&root["properties"]["a"]), pretty(&tree()));
    assert_eq!(pretty(&root["$defs"]), pretty(&json!({"Tree": tree()})));
}

#[test]
fn different_definitions_of_the_same_name_are_renamed() {
    let recursive = |name: &str| {
        json!({
            "$ref": "#/$defs/Node",
            "$defs": {"Node": {"type": "object", "properties": {name: {"$ref": "#/$defs/Node"}}}},
        })
    };
    let root = object_schema([property("a", recursive("x")), property("b", recursive("y"))]);
    assert_eq!(root["properties"]["a"], json!({"$ref": "#/$defs/Node"}));
    assert_eq!(root["properties"]["b"], json!({"$ref": "#/$defs/Node2"}));
    let second = json!({"type": "object", "properties": {"y": {"$ref": "#/$defs/Node2"}}});
    assert_eq!(root["$defs"]["Node2"], second);
}
