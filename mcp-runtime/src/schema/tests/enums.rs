#![allow(dead_code)]

use super::{check, check_output};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(JsonSchema, Serialize)]
enum Colour {
    Red,
    Green,
}

/// How loud it is.
#[derive(JsonSchema)]
enum Volume {
    /// Almost no
    /// sound.
    Quiet,
    Normal,
    /// A lot of sound.
    Loud,
}

#[derive(JsonSchema)]
enum Only {
    /// The only one.
    A,
}

fn i32_schema() -> Value {
    json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})
}

#[test]
fn unit_variants_become_one_enum() {
    let colours = json!({"type": "string", "enum": ["Red", "Green"]});
    check::<Colour>(colours.clone());
    check::<Option<Colour>>(colours.clone());
    check::<Vec<Colour>>(json!({"type": "array", "items": colours}));
    check_output::<Option<Colour>>(json!({"anyOf": [colours, {"type": "null"}]}));
    check::<chrono::Weekday>(
        json!({"type": "string", "enum": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]}),
    );
}

#[test]
fn variant_docs_are_folded_into_the_description() {
    let volume = json!({
        "description": "How loud it is.\n\n- `Quiet`: Almost no sound.\n- `Loud`: A lot of sound.",
        "type": "string",
        "enum": ["Normal", "Quiet", "Loud"],
    });
    check::<Volume>(volume.clone());
    check::<Option<Volume>>(volume);
    check::<Only>(json!({"description": "- `A`: The only one.", "type": "string", "enum": ["A"]}));
}

#[derive(JsonSchema)]
enum External {
    Unit,
    /// Just a number.
    Newtype(i32),
    Tuple(i32, String),
    Struct {
        x: Option<i32>,
    },
    Nullable(Option<bool>),
}

#[test]
fn externally_tagged_variants_become_any_of_single_property_objects() {
    let variant = |name: &str, schema: Value| {
        json!({
            "type": "object",
            "properties": {name: schema},
            "required": [name],
            "additionalProperties": false,
        })
    };
    let mut newtype = variant("Newtype", i32_schema());
    newtype["description"] = json!("Just a number.");
    check::<External>(json!({"anyOf": [
        {"type": "string", "enum": ["Unit"]},
        newtype,
        variant("Tuple", json!({
            "type": "array",
            "prefixItems": [i32_schema(), {"type": "string"}],
            "items": {},
            "minItems": 2,
            "maxItems": 2,
        })),
        variant("Struct", json!({"type": "object", "properties": {"x": i32_schema()}})),
        variant("Nullable", json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]})),
    ]}));
}

#[derive(JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Internal {
    Unit,
    /// Has an x.
    Struct {
        x: i32,
    },
}

#[test]
fn internal_tags_become_enums_of_one_value() {
    check::<Internal>(json!({"anyOf": [
        {
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": ["unit"]}},
            "required": ["kind"],
        },
        {
            "description": "Has an x.",
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": ["struct"]}, "x": i32_schema()},
            "required": ["kind", "x"],
        },
    ]}));
}

#[derive(JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(i32),
}

#[test]
fn adjacent_tags_become_enums_of_one_value() {
    check::<Adjacent>(json!({"anyOf": [
        {
            "type": "object",
            "properties": {"t": {"type": "string", "enum": ["Unit"]}},
            "required": ["t"],
        },
        {
            "type": "object",
            "properties": {"t": {"type": "string", "enum": ["Newtype"]}, "c": i32_schema()},
            "required": ["t", "c"],
        },
    ]}));
}

#[derive(JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    Flag { on: bool },
}

#[test]
fn untagged_variants_become_any_of() {
    let variants = json!([
        i32_schema(),
        {"type": "string"},
        {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]},
    ]);
    check::<Untagged>(json!({"anyOf": variants}));
    check::<Option<Untagged>>(json!({"anyOf": variants}));
}

#[test]
fn one_of_stays_where_alternatives_may_overlap() {
    check::<Result<i32, String>>(json!({"oneOf": [
        {"type": "object", "properties": {"Ok": i32_schema()}, "required": ["Ok"]},
        {"type": "object", "properties": {"Err": {"type": "string"}}, "required": ["Err"]},
    ]}));
}

#[test]
fn a_value_of_two_variants_is_folded_in_any_of_but_not_in_one_of() {
    use super::super::{is_valid, normalize_output};

    let variants = json!([{"const": 1}, {"enum": [1.0, 2]}]);
    let (one, any) = (
        normalize_output(json!({"oneOf": variants})),
        normalize_output(json!({"anyOf": variants})),
    );
    assert!(!is_valid(&one, &one, &json!(1)), "{one}");
    assert!(is_valid(&one, &one, &json!(2)), "{one}");
    assert_eq!(any, json!({"enum": [1, 2]}));
}
