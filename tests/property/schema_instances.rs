//! Generates values that are valid or almost valid for a schema.

use mcp_runtime::Value;
use proptest::prelude::*;
use proptest::string::string_regex;
use serde_json::{Map, json};

/// The depth up to which references are followed.
const MAX_DEPTH: usize = 4;

/// A value for `schema`, in which any part may be another value or a string with its
/// JSON text.
pub(crate) fn almost_valid(root: &Value, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
    if depth > MAX_DEPTH {
        return Just(Value::Null).boxed();
    }
    let valid = valid(root, schema, depth);
    prop_oneof![
        40 => valid.clone(),
        1 => anything(),
        1 => valid.prop_map(|value| Value::from(value.to_string())),
    ]
    .boxed()
}

pub(crate) fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        integer(&Value::Null),
        number(&Value::Null),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let members = prop::collection::vec((text(), inner.clone()), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::from),
            members.prop_map(|members| members.into_iter().collect()),
        ]
    })
    .boxed()
}

fn valid(root: &Value, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(&reference[1..]).unwrap();
        return almost_valid(root, target, depth + 1);
    }
    for combination in ["anyOf", "oneOf"] {
        if schema.get(combination).is_some() && schema.get("properties").is_some() {
            return both(root, schema, combination, depth);
        }
        if let Some(branches) = schema[combination].as_array() {
            let branches = branches
                .iter()
                .map(|branch| almost_valid(root, branch, depth));
            return proptest::strategy::Union::new(branches).boxed();
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let recased = |value: Value| {
            value
                .as_str()
                .map(str::to_uppercase)
                .map_or(value.clone(), Value::from)
        };
        let listed = prop::sample::select(values.clone());
        return prop_oneof![6 => listed.clone(), 1 => listed.prop_map(recased)].boxed();
    }
    match schema["type"].as_str() {
        Some("null") => Just(Value::Null).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => integer(schema),
        Some("number") => number(schema),
        Some("string") => string(schema),
        Some("array") => array(root, schema, depth),
        Some("object") => object(root, schema, depth),
        _ => anything(),
    }
}

fn integer(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |keyword: &str, other: i64| schema[keyword].as_i64().unwrap_or(other);
    let (min, max) = (bound("minimum", i64::MIN), bound("maximum", i64::MAX));
    let edges = [
        min,
        max,
        min.saturating_sub(1),
        max.saturating_add(1),
        0,
        1,
        -1,
    ];
    let edges: Vec<Value> = edges.into_iter().map(Value::from).collect();
    prop_oneof![
        4 => (min..=max).prop_map(Value::from),
        2 => prop::sample::select(edges),
        1 => (-300_i32..300).prop_map(|whole| json!(f64::from(whole))),
        1 => Just(json!(u64::MAX)),
    ]
    .boxed()
}

fn number(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |keyword: &str, other: f64| schema[keyword].as_f64().unwrap_or(other);
    let (min, max) = (bound("minimum", -1e6), bound("maximum", 1e6));
    prop_oneof![
        4 => (min..=max).prop_map(|number| json!(number)),
        1 => prop::sample::select(vec![json!(min), json!(max), json!(min - 0.5), json!(max + 0.5)]),
        1 => (-9_i64..9).prop_map(Value::from),
        1 => prop::sample::select(vec![json!(0.1), json!(-0.0), json!(1e300), json!(5e-324)]),
    ]
    .boxed()
}

fn string(schema: &Value) -> BoxedStrategy<Value> {
    let count = |keyword: &str| {
        schema[keyword]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
    };
    if let Some(pattern) = schema["pattern"].as_str() {
        let inner = pattern.trim_start_matches('^').trim_end_matches('$');
        return prop_oneof![
            4 => string_regex(inner).unwrap().prop_map(Value::from),
            1 => text().prop_map(Value::from),
        ]
        .boxed();
    }
    let (min, max) = (
        count("minLength").unwrap_or(0),
        count("maxLength").unwrap_or(3),
    );
    let sized = string_regex(&format!("[ab1é😀\"\\\\]{{{min},{}}}", max + 1)).unwrap();
    prop_oneof![2 => sized, 1 => text()]
        .prop_map(Value::from)
        .boxed()
}

fn text() -> impl Strategy<Value = String> {
    let texts = [
        "",
        "a",
        "é",
        "x",
        "y",
        "value",
        "2",
        "2.0",
        "-1",
        "+1",
        "007",
        "1e2",
        " 3 ",
        "true",
        "TRUE",
        "null",
        "[1]",
        "{\"x\":1}",
        "[",
        "NaN",
        "18446744073709551616",
        "\u{0}",
        "kind",
    ];
    prop::sample::select(texts.to_vec()).prop_map(str::to_owned)
}

fn array(root: &Value, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
    let count = |keyword: &str| {
        schema[keyword]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
    };
    if let Some(prefix) = schema["prefixItems"].as_array() {
        let items: Vec<_> = prefix
            .iter()
            .map(|item| almost_valid(root, item, depth))
            .collect();
        let cut = 0..=items.len();
        return prop_oneof![
            6 => items.clone().prop_map(Value::from),
            1 => (items, cut).prop_map(|(items, cut)| Value::from(&items[..cut])),
        ]
        .boxed();
    }
    let (min, max) = (
        count("minItems").unwrap_or(0),
        count("maxItems").unwrap_or(3),
    );
    let items = |min: usize, max| {
        prop::collection::vec(almost_valid(root, &schema["items"], depth), min..=max)
    };
    prop_oneof![4 => items(min, max), 1 => items(min.saturating_sub(1), max + 1)]
        .prop_map(Value::from)
        .boxed()
}

fn object(root: &Value, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut members: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let probability = if required.contains(&json!(name)) {
            0.97
        } else {
            0.5
        };
        let value = prop::option::weighted(probability, almost_valid(root, property, depth));
        members = with_member(
            members,
            value.prop_map({
                let name = name.clone();
                move |value| value.map(|value| (name.clone(), value))
            }),
        );
    }
    let (rest, probability) = match &schema["additionalProperties"] {
        Value::Object(_) => (
            almost_valid(root, &schema["additionalProperties"], depth),
            0.7,
        ),
        _ => (anything(), 0.03),
    };
    let name = match schema["propertyNames"]["pattern"].as_str() {
        Some(pattern) => {
            let short = pattern.trim_matches(['^', '$']).replace('*', "{0,5}");
            prop_oneof![9 => string_regex(&short).unwrap(), 1 => text()].boxed()
        }
        None => text().boxed(),
    };
    for _ in 0..2 {
        let extra = prop::option::weighted(probability, (name.clone(), rest.clone()));
        members = with_member(members, extra);
    }
    members.prop_map(Value::Object).boxed()
}

fn with_member(
    members: BoxedStrategy<Map<String, Value>>,
    member: impl Strategy<Value = Option<(String, Value)>> + 'static,
) -> BoxedStrategy<Map<String, Value>> {
    (members, member)
        .prop_map(|(mut members, member)| {
            members.extend(member);
            members
        })
        .boxed()
}

/// A value for an object schema beside a combination, as a flattened enum has.
fn both(root: &Value, schema: &Value, combination: &str, depth: usize) -> BoxedStrategy<Value> {
    let mut combined = schema.clone();
    let branches = combined[combination].take();
    let branches = valid(root, &json!({ combination: branches }), depth);
    (object(root, &combined, depth), branches)
        .prop_map(|values| match values {
            (Value::Object(mut members), Value::Object(others)) => {
                members.extend(others);
                Value::Object(members)
            }
            (_, other) => other,
        })
        .boxed()
}
