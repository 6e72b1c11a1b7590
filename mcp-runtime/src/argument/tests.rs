//! What a type's schema accepts can be read, and as far as [`trust`] says, what
//! can be read the schema accepts.

use super::preset::Preset;
use super::repair::repair;
use super::rule::{Adjust, Rule, range, unbounded};
use super::{Declared, Parameter, ToolArgument, Unknown, default_value, preset, tool_argument};
use crate::schema::{Property, Trust, check, generator, normalise, object, of, trust};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

fn check_type<T: ToolArgument>() {
    check_description::<T>();
    let raw = of::<T>(generator());
    let trust = trust(&raw);
    let schema = object([Property {
        name: "a",
        schema: normalise(raw),
        required: true,
        default: None,
    }]);
    let mut accepted = 0;
    for value in values() {
        let repaired = repair(&schema, json!({"a": value})).arguments;
        let valid = check(&schema, &repaired).is_empty();
        let read = serde_json::from_value::<T>(repaired["a"].clone()).is_ok();
        let told = format!("{} {value} {trust:?}", std::any::type_name::<T>());
        assert!(!valid || read, "advertised, but not readable: {told}");
        assert!(
            valid || !read || trust > Trust::Exact,
            "readable, but not advertised: {told}"
        );
        accepted += usize::from(valid);
    }
    assert!(accepted > 0, "no value for {}", std::any::type_name::<T>());
}

/// What is kept of a type and described is what its described schema becomes.
fn check_description<T: ToolArgument>() {
    for description in ["", "Says what it is."] {
        let mut raw = match of::<T>(generator()) {
            Value::Bool(true) => json!({}),
            raw => raw,
        };
        if !description.is_empty() {
            raw["description"] = json!(description);
        }
        let parameter = tool_argument::<T>("a", description);
        let advertised = parameter.advertised();
        assert_eq!(advertised, normalise(raw), "{}", std::any::type_name::<T>());
        check_json(vec![parameter]);
        check_json(vec![parameter.with_default(GIVEN)]);
    }
}

const GIVEN: &dyn Preset = &preset(|| "given", default_value);

/// What is written of a schema is its tree.
#[track_caller]
fn check_json(parameters: Vec<Parameter>) {
    let parameters: &[Parameter] = parameters.leak();
    for unknown in [Unknown::Refuse, Unknown::Ignore] {
        let declared = || Declared::new("tool", parameters).with_unknown(unknown);
        let written = String::from_utf8(declared().schema_json()).unwrap();
        assert_eq!(written, declared().schema().to_string());
    }
}

/// A type whose definitions move to the root.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Tree {
    children: Vec<Tree>,
}

#[test]
fn a_schema_is_written_as_its_tree_is() {
    const RULES: &[&dyn Rule] = &[&range::<i64>(unbounded().from(1).to(9))];
    const TWO: &dyn Preset = &preset(|| 2_i64, default_value);
    const CLAMP: &dyn Adjust = &range::<i64>(unbounded().to(9));
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

/// Values and near misses of all the types below.
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
        // Beyond 2^53 a width of 64 bits is enforced without being advertised.
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
