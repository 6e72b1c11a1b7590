use super::{check, check_output};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

fn i32_schema() -> Value {
    json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})
}

#[test]
fn lists_have_items() {
    let strings = json!({"type": "array", "items": {"type": "string"}});
    check::<Vec<String>>(strings.clone());
    check::<VecDeque<String>>(strings);
    check::<Vec<Vec<bool>>>(
        json!({"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}),
    );
    check::<Vec<Value>>(json!({"type": "array", "items": {}}));
    check::<[bool; 3]>(
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 3}),
    );
    check::<[bool; 0]>(json!({"type": "array", "items": {}, "maxItems": 0}));
}

#[test]
fn sets_have_unique_items() {
    let expected = json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true});
    check::<HashSet<String>>(expected.clone());
    check::<std::collections::BTreeSet<String>>(expected);
}

#[test]
fn maps_have_additional_properties() {
    check::<BTreeMap<String, i32>>(json!({"type": "object", "additionalProperties": i32_schema()}));
    check::<HashMap<String, Value>>(json!({"type": "object", "additionalProperties": true}));
    check::<HashMap<String, Vec<bool>>>(json!({
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "boolean"}},
    }));
}

#[test]
fn integer_keys_become_a_pattern_of_property_names() {
    check::<HashMap<u8, bool>>(json!({
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "propertyNames": {"pattern": "^(0|[1-9][0-9]*)$"},
    }));
    check::<HashMap<i64, bool>>(json!({
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "propertyNames": {"pattern": "^(0|-?[1-9][0-9]*)$"},
    }));
}

#[test]
fn tuples_of_one_type_become_arrays() {
    check::<(f64, f64)>(
        json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
    );
}

#[test]
fn mixed_tuples_keep_prefix_items_and_get_items() {
    check::<(i32, String)>(json!({
        "type": "array",
        "prefixItems": [i32_schema(), {"type": "string"}],
        "items": {},
        "minItems": 2,
        "maxItems": 2,
    }));
}

#[test]
fn an_optional_argument_has_the_schema_of_its_value() {
    check::<Option<i32>>(i32_schema());
    check::<Option<Option<i32>>>(i32_schema());
    check::<Option<String>>(json!({"type": "string"}));
    check::<Option<Vec<bool>>>(json!({"type": "array", "items": {"type": "boolean"}}));
    check::<Option<()>>(json!({"type": "null"}));
    check::<Option<HashMap<String, bool>>>(
        json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
    );
}

#[test]
fn null_stays_where_a_value_cannot_be_absent() {
    let nullable = json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]});
    check::<Vec<Option<bool>>>(json!({"type": "array", "items": nullable}));
    check::<Option<Vec<Option<bool>>>>(json!({"type": "array", "items": nullable}));
    check::<HashMap<String, Option<bool>>>(
        json!({"type": "object", "additionalProperties": nullable}),
    );
    check::<(Option<bool>, String)>(json!({
        "type": "array",
        "prefixItems": [nullable, {"type": "string"}],
        "items": {},
        "minItems": 2,
        "maxItems": 2,
    }));
}

#[test]
fn null_stays_in_results() {
    check_output::<Option<bool>>(json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]}));
    check_output::<Vec<Option<i32>>>(
        json!({"type": "array", "items": {"anyOf": [i32_schema(), {"type": "null"}]}}),
    );
    check_output::<Option<HashMap<String, bool>>>(json!({"anyOf": [
        {"type": "object", "additionalProperties": {"type": "boolean"}},
        {"type": "null"},
    ]}));
}

#[test]
fn std_structs_are_objects() {
    check::<std::ops::Range<i32>>(json!({
        "type": "object",
        "properties": {"start": i32_schema(), "end": i32_schema()},
        "required": ["start", "end"],
    }));
    check::<std::time::Duration>(json!({
        "type": "object",
        "properties": {
            "secs": {"type": "integer", "minimum": 0},
            "nanos": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
        },
        "required": ["secs", "nanos"],
    }));
    check::<chrono::TimeDelta>(json!({
        "type": "array",
        "prefixItems": [
            {"type": "integer"},
            {"type": "integer", "minimum": 0, "exclusiveMaximum": 1_000_000_000},
        ],
        "items": {},
        "minItems": 2,
        "maxItems": 2,
    }));
    check::<std::ffi::CString>(json!({"anyOf": [
        {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 255}},
        {"type": "string"},
    ]}));
}
