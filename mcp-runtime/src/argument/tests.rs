//! Checks that every value that the schema of a type accepts can be deserialized, and that every
//! deserialized value matches the schema if [`serde_strictness`] promises it.

use super::coerce::coerce;
use super::default_value::DefaultValue;
use super::rule::{Clamp, Rule, range, unbounded};
use super::{
    ArgumentSet, Parameter, ToolArgument, UnknownArguments, default_value, to_json_value,
    tool_argument,
};
use crate::schema::{
    Property, SerdeStrictness, check, input_generator, normalize_input, object_schema, schema_of,
    serde_strictness,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

fn check_type<T: ToolArgument>() {
    check_description::<T>();
    let raw = schema_of::<T>(input_generator());
    let strictness = serde_strictness(&raw);
    let schema = object_schema([Property {
        name: "a",
        schema: normalize_input(raw),
        required: true,
        default: None,
    }]);
    let mut accepted = 0;
    for value in values() {
        let coerced = coerce(&schema, json!({"a": value})).arguments;
        let valid = check(&schema, &coerced).is_empty();
        let read = serde_json::from_value::<T>(coerced["a"].clone()).is_ok();
        let case = format!("{} {value} {strictness:?}", std::any::type_name::<T>());
        assert!(!valid || read, "advertised, but not readable: {case}");
        assert!(
            valid || !read || strictness > SerdeStrictness::Exact,
            "readable, but not advertised: {case}"
        );
        accepted += usize::from(valid);
    }
    assert!(accepted > 0, "no value for {}", std::any::type_name::<T>());
}

/// Checks that adding the description to the cached schema gives the same schema as normalizing the
/// described schema.
fn check_description<T: ToolArgument>() {
    for description in ["", "Says what it is."] {
        let mut raw = match schema_of::<T>(input_generator()) {
            Value::Bool(true) => json!({}),
            raw => raw,
        };
        if !description.is_empty() {
            raw["description"] = json!(description);
        }
        let parameter = tool_argument::<T>("a", description);
        let advertised_schema = parameter.advertised_schema();
        assert_eq!(
            advertised_schema,
            normalize_input(raw),
            "{}",
            std::any::type_name::<T>()
        );
        check_json(vec![parameter]);
        check_json(vec![parameter.with_default(DEFAULT_TEXT)]);
    }
}

const DEFAULT_TEXT: &dyn DefaultValue = &default_value(|| "text", to_json_value);

/// Checks that the schema text equals the serialized tree.
#[track_caller]
fn check_json(parameters: Vec<Parameter>) {
    let parameters: &[Parameter] = parameters.leak();
    for unknown in [UnknownArguments::Reject, UnknownArguments::Ignore] {
        let arguments = || ArgumentSet::new("tool", parameters).with_unknown(unknown);
        let written = String::from_utf8(arguments().schema_json()).unwrap();
        assert_eq!(written, arguments().schema().to_string());
    }
}

/// A type whose `$defs` move to the root.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Tree {
    children: Vec<Tree>,
}

#[test]
fn schema_text_equals_the_serialized_tree() {
    const RULES: &[&dyn Rule] = &[&range::<i64>(unbounded().from(1).to(9))];
    const TWO: &dyn DefaultValue = &default_value(|| 2_i64, to_json_value);
    const CLAMP: &dyn Clamp = &range::<i64>(unbounded().to(9));
    let b = tool_argument::<i64>("b", " Counts \"all\".\n");
    let tree = tool_argument::<Tree>("tree", "Grows.");
    check_json(vec![]);
    check_json(vec![b.with_rules(RULES).with_default(TWO)]);
    check_json(vec![b.with_clamp(CLAMP), tree]);
    check_json(vec![
        tool_argument::<Option<String>>("z", ""),
        b.with_example(|| json!(3)).with_header("Count"),
        tool_argument::<Vec<bool>>("a", "Says whether."),
    ]);
}

/// Returns valid and almost valid values of all types in these tests.
fn values() -> Vec<Value> {
    let scalars = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(7.0),
        json!(7.5),
        json!(127),
        json!(128),
        json!(-129),
        json!(255),
        json!(256),
        json!(65_536),
        // Beyond 2^53, the limits of 64-bit integers are enforced but not advertised.
        json!(9_007_199_254_740_992_u64),
        json!("a"),
        json!("ab"),
        json!(""),
        json!("12"),
        json!("true"),
        json!("Unit"),
        json!("unit"),
    ];
    let compound = json!([
        [], [1], [1, 1], [1, 2, 3], [1, "a"], ["a", 1], [null], [[1]], ["a", "a"], [{}],
        {}, {"a": 1}, {"a": "x"}, {"a": null}, {"a": [1]}, {"1": 1}, {"-1": 1}, {"x1": 1},
        {"x": 1}, {"x": 1, "y": null}, {"x": 1, "y": "s"}, {"x": 1, "y": "s", "z": 1}, {"x": "1"},
        {"x": 1, "next": {"x": 2}}, {"x": 1, "next": {"x": "b"}},
        {"Unit": null}, {"Newtype": 1}, {"Newtype": "a"}, {"Newtype": null}, {"Struct": {"x": 1}},
        {"Struct": [1]}, {"Newtype": 1, "Struct": {"x": 1}}, {"Tuple": [1, "a"]}, {"Tuple": [1]},
        {"kind": "Unit"}, {"kind": "Struct", "x": 1}, {"kind": "Struct"}, {"kind": "Other"},
        {"kind": "Newtype", "content": 1}, {"kind": "Newtype"}, {"kind": "Newtype", "content": "a"},
    ]);
    scalars
        .into_iter()
        .chain(compound.as_array().cloned().unwrap_or_default())
        .collect()
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
struct Open {
    x: i32,
    y: Option<String>,
    next: Option<Box<Open>>,
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    x: i32,
    #[serde(default)]
    y: String,
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
enum External {
    Unit,
    Newtype(Option<u8>),
    Tuple(u8, String),
    Struct { x: u8 },
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    Struct { x: u8 },
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind", content = "content")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Struct { x: u8 },
}

#[allow(dead_code)]
#[derive(JsonSchema, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Small(u8),
    Flag(bool),
    Struct { x: u8 },
}

#[test]
fn scalars_agree() {
    check_type::<u8>();
    check_type::<u16>();
    check_type::<u32>();
    check_type::<u64>();
    check_type::<usize>();
    check_type::<i8>();
    check_type::<i16>();
    check_type::<i32>();
    check_type::<i64>();
    check_type::<std::num::NonZeroU8>();
    check_type::<std::num::NonZeroI8>();
    check_type::<f32>();
    check_type::<f64>();
    check_type::<bool>();
    check_type::<char>();
    check_type::<String>();
    check_type::<()>();
    check_type::<Value>();
}

#[test]
fn collections_agree() {
    check_type::<Vec<u8>>();
    check_type::<Vec<Option<u8>>>();
    check_type::<Vec<Vec<i64>>>();
    check_type::<HashSet<String>>();
    check_type::<BTreeMap<String, u8>>();
    check_type::<BTreeMap<String, Option<Vec<u8>>>>();
    check_type::<HashMap<i32, u8>>();
    check_type::<(u8, String)>();
    check_type::<[u8; 2]>();
}

#[test]
fn structs_and_enums_agree() {
    check_type::<Open>();
    check_type::<Closed>();
    check_type::<External>();
    check_type::<Internal>();
    check_type::<Adjacent>();
    check_type::<Untagged>();
}
