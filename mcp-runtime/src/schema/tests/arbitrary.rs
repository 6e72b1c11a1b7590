//! Generates random schemas and instances. Many of the instances are valid.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Returns a strategy for schemas with one recursive definition.
pub(crate) fn schema() -> impl Strategy<Value = Value> {
    (schema_body(), schema_body()).prop_map(|(mut root, definition)| {
        root["$defs"] = json!({"N": definition});
        root
    })
}

pub(crate) fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![scalar(), scalar(), text().prop_map(Value::from)];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d/e"]).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        "a",
        "b",
        "ab",
        "éa",
        "2",
        "2.0",
        "true",
        "[1]",
        r#"{"a":1}"#,
    ])
    .prop_map(str::to_owned)
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..6).prop_map(Value::from),
        (-6_i64..12).prop_map(|halves| json!(halves as f64 / 2.0)),
        prop::sample::select(vec![
            json!(u64::MAX),
            json!(i64::MIN),
            json!(9_007_199_254_740_993_i64),
            json!(1e300),
            json!(0.1),
            json!(0.3),
        ]),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number()
    ]
}

fn kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "null", "boolean", "integer", "number", "string", "array", "object",
    ])
}

/// Returns a strategy for schemas that refer to the definition only for a part of a value. A
/// reference therefore never applies to the same value again.
fn schema_body() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        kind().prop_map(|kind| json!({"type": kind})),
        (kind(), kind()).prop_filter_map("distinct", |(one, other)| {
            (one != other).then(|| json!({"type": [one, other]}))
        }),
        prop::collection::vec(prop_oneof![scalar(), text().prop_map(Value::from)], 1..4)
            .prop_map(|values| json!({"enum": distinct(values)})),
        scalar().prop_map(|value| json!({"const": value})),
        number_limits(),
        sizes(),
        prop::sample::select(vec!["^a", "b$", r"^\d+$", "."])
            .prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let reference = Just(json!({"$ref": "#/$defs/N"}));
        let child = prop_oneof![6 => inner.clone(), 1 => reference, 1 => Just(json!(true))];
        let child = child.boxed();
        prop_oneof![
            4 => object(child.clone()),
            2 => array(child),
            1 => combination(inner),
        ]
    })
    .boxed()
}

fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut result: Vec<Value> = Vec::new();
    for value in values {
        if !result
            .iter()
            .any(|other| super::super::equality::json_eq(other, &value))
        {
            result.push(value);
        }
    }
    result
}

fn number_limits() -> impl Strategy<Value = Value> {
    let bound = || prop::option::of(number());
    let divisor = prop::option::of(prop::sample::select(vec![json!(2), json!(0.5), json!(0.1)]));
    (bound(), bound(), bound(), bound(), divisor).prop_map(|(min, max, above, below, divisor)| {
        let mut schema = json!({"type": "number"});
        set(&mut schema, "minimum", min);
        set(&mut schema, "maximum", max);
        set(&mut schema, "exclusiveMinimum", above);
        set(&mut schema, "exclusiveMaximum", below);
        set(&mut schema, "multipleOf", divisor);
        schema
    })
}

fn sizes() -> impl Strategy<Value = Value> {
    let count = || prop::option::of(0_u64..3);
    (count(), count(), count(), count(), count(), count()).prop_map(|(a, b, c, d, e, f)| {
        let mut schema = json!({});
        let keywords = [
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
        ];
        for (keyword, count) in keywords.into_iter().zip([a, b, c, d, e, f]) {
            set(&mut schema, keyword, count.map(Value::from));
        }
        schema
    })
}

fn object(child: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let named = prop::collection::vec((name(), child.clone()), 0..4);
    let required = prop::option::of(prop::collection::btree_set(name(), 1..3));
    let rest = prop::option::of(prop_oneof![Just(json!(false)), child.clone()]);
    let patterned = prop::option::of(child.clone());
    let unevaluated = prop::option::weighted(0.2, prop_oneof![Just(json!(false)), child]);
    let dependent = prop::option::weighted(0.2, (name(), name()));
    (named, required, rest, patterned, unevaluated, dependent).prop_map(
        |(named, required, rest, patterned, unevaluated, dependent)| {
            let mut schema = json!({"type": "object"});
            schema["properties"] = Value::Object(named.into_iter().collect::<Map<_, _>>());
            set(&mut schema, "required", required.map(|names| json!(names)));
            set(&mut schema, "additionalProperties", rest);
            set(
                &mut schema,
                "patternProperties",
                patterned.map(|child| json!({"^[ab]": child})),
            );
            set(&mut schema, "unevaluatedProperties", unevaluated);
            let dependent = dependent.map(|(name, required)| json!({name: [required]}));
            set(&mut schema, "dependentRequired", dependent);
            schema
        },
    )
}

fn array(child: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let prefix = prop::option::of(prop::collection::vec(child.clone(), 1..3));
    let contains = prop::option::weighted(0.3, child.clone());
    let items = prop::option::of(child);
    (prefix, items, any::<bool>(), contains).prop_map(|(prefix, items, unique, contains)| {
        let mut schema = json!({"type": "array", "uniqueItems": unique});
        set(&mut schema, "prefixItems", prefix.map(Value::from));
        set(&mut schema, "items", items);
        set(&mut schema, "contains", contains);
        schema
    })
}

fn combination(child: impl Strategy<Value = Value> + Clone + 'static) -> BoxedStrategy<Value> {
    let several = prop::collection::vec(child.clone(), 1..4);
    prop_oneof![
        several
            .clone()
            .prop_map(|branches| json!({"anyOf": branches})),
        several
            .clone()
            .prop_map(|branches| json!({"oneOf": branches})),
        several.prop_map(|branches| json!({"allOf": branches})),
        child.clone().prop_map(|schema| json!({"not": schema})),
        (child.clone(), child.clone(), child).prop_map(
            |(condition, then, other)| json!({"if": condition, "then": then, "else": other})
        ),
    ]
    .boxed()
}

fn set(schema: &mut Value, keyword: &str, value: Option<Value>) {
    if let Some(value) = value {
        schema[keyword] = value;
    }
}
