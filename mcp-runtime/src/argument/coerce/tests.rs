use super::{Coercion, coerce, parse_arguments};
use crate::schema::{is_valid, json_eq, tests::arbitrary};
use proptest::prelude::*;
use serde_json::{Value, json};

fn check(
    schema: Value,
    sent: Value,
    expected: Value,
    coercions: &[(&str, &'static str, &'static str)],
) {
    let coerced = coerce(&schema, sent.clone());
    assert_eq!(coerced.arguments, expected, "{schema} {sent}");
    let expected: Vec<Coercion> = coercions
        .iter()
        .map(|(pointer, from, to)| Coercion {
            pointer: (*pointer).to_owned(),
            from,
            to,
        })
        .collect();
    assert_eq!(coerced.coercions, expected, "{schema} {sent}");
}

/// Checks the coercion of a value of the optional property `a`.
fn check_value(schema: Value, sent: Value, expected: Value) {
    let schema = json!({"type": "object", "properties": {"a": schema}});
    let coerced = coerce(&schema, json!({"a": sent}));
    assert_eq!(coerced.arguments, json!({"a": expected}), "{schema} {sent}");
    assert_eq!(
        coerced.coercions.is_empty(),
        sent == expected,
        "{schema} {sent}"
    );
}

#[test]
fn whole_numbers_become_integers() {
    let integer = || json!({"type": "integer"});
    check_value(integer(), json!("2"), json!(2));
    check_value(integer(), json!("2.0"), json!(2));
    check_value(integer(), json!("2e3"), json!(2_000));
    check_value(integer(), json!(2.0), json!(2));
    check_value(integer(), json!("-7"), json!(-7));
    check_value(integer(), json!("18446744073709551615"), json!(u64::MAX));
    check_value(
        integer(),
        json!("9007199254740993.0"),
        json!(9_007_199_254_740_993_i64),
    );
}

#[test]
fn lossy_values_are_not_coerced() {
    for sent in [
        json!("2.5"),
        json!(2.5),
        json!(""),
        json!("two"),
        json!("0x10"),
        json!("1e99"),
    ] {
        check_value(json!({"type": "integer"}), sent.clone(), sent);
    }
    for sent in [
        json!("+1"),
        json!("1."),
        json!("NaN"),
        json!("1e999"),
        json!(true),
        json!("1,5"),
    ] {
        check_value(json!({"type": "number"}), sent.clone(), sent);
    }
    for sent in [json!("yes"), json!(1), json!("1")] {
        check_value(json!({"type": "boolean"}), sent.clone(), sent);
    }
    for sent in [json!("{}"), json!("[1"), json!("a,b"), json!(1)] {
        check_value(json!({"type": "array", "items": {}}), sent.clone(), sent);
    }
}

#[test]
fn strings_become_the_declared_type() {
    check_value(json!({"type": "number"}), json!("2.5"), json!(2.5));
    check_value(json!({"type": "boolean"}), json!("true"), json!(true));
    check_value(json!({"type": "boolean"}), json!("False"), json!(false));
    check_value(
        json!({"type": "array", "items": {"type": "integer"}}),
        json!(r#"["1", 2]"#),
        json!([1, 2]),
    );
    check_value(
        json!({"type": "object", "properties": {"b": {"type": "boolean"}}}),
        json!(r#"{"b": "true"}"#),
        json!({"b": true}),
    );
    check_value(json!({"enum": [1, 2]}), json!("2"), json!(2));
}

#[test]
fn values_that_may_be_strings_are_kept() {
    for schema in [
        json!({"type": "string"}),
        json!({}),
        json!(true),
        json!({"type": ["integer", "string"]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^x"}]}),
        json!({"anyOf": [{"type": "integer"}, {}]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
    ] {
        check_value(schema, json!("2"), json!("2"));
    }
}

#[test]
fn a_value_differing_in_case_is_the_listed_one() {
    let colours = || json!({"type": "string", "enum": ["Red", "green"]});
    check_value(colours(), json!("RED"), json!("Red"));
    check_value(colours(), json!("green"), json!("green"));
    check_value(colours(), json!("blue"), json!("blue"));
    check_value(json!({"enum": ["a", "A", "ä"]}), json!("A"), json!("A"));
    check_value(json!({"enum": ["aB", "Ab"]}), json!("ab"), json!("ab"));
}

#[test]
fn null_for_an_optional_property_is_absence() {
    let schema = json!({
        "type": "object",
        "properties": {
            "optional": {"type": "integer"},
            "defaulted": {"type": "integer", "default": 1},
            "anything": {},
            "needed": {"type": "integer"},
            "inner": {"type": "object", "properties": {"x": {"type": "string"}}},
        },
        "required": ["needed"],
    });
    check(
        schema,
        json!({
            "optional": null, "defaulted": null, "anything": null, "needed": null,
            "inner": {"x": null}, "unknown": null,
        }),
        json!({"anything": null, "needed": null, "inner": {}, "unknown": null}),
        &[
            ("/defaulted", "null", "absent"),
            ("/inner/x", "null", "absent"),
            ("/optional", "null", "absent"),
        ],
    );
}

#[test]
fn every_coercion_is_recorded_where_it_happened() {
    let schema = json!({
        "type": "object",
        "properties": {"a/b": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
        "$defs": {"Node": {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}},
        }},
    });
    check(
        schema,
        json!({"a/b": [{"n": 1}, r#"{"n": "2", "next": {"n": 3.0}}"#]}),
        json!({"a/b": [{"n": 1}, {"n": 2, "next": {"n": 3}}]}),
        &[
            ("/a~1b/1", "string", "object"),
            ("/a~1b/1/n", "string", "integer"),
            ("/a~1b/1/next/n", "number", "integer"),
        ],
    );
}

#[test]
fn the_only_matching_alternative_is_coerced() {
    let variant = |kind: &str, schema: Value| {
        json!({
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": [kind]}, "x": schema},
            "required": ["kind", "x"],
        })
    };
    let tagged = json!({"anyOf": [
        variant("int", json!({"type": "integer"})),
        variant("text", json!({"type": "string"})),
    ]});
    check_value(
        tagged.clone(),
        json!({"kind": "int", "x": "1"}),
        json!({"kind": "int", "x": 1}),
    );
    check_value(
        tagged.clone(),
        json!({"kind": "text", "x": "1"}),
        json!({"kind": "text", "x": "1"}),
    );
    check_value(
        tagged,
        json!(r#"{"kind":"int","x":"1"}"#),
        json!({"kind": "int", "x": 1}),
    );
    let nullable = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
    check_value(nullable.clone(), json!("1"), json!(1));
    check_value(nullable, json!(1.0), json!(1));
}

#[test]
fn nested_alternatives_take_bounded_time() {
    let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}, "n": {"type": "integer"}}});
    let schema = json!({"$ref": "#/$defs/N", "$defs": {"N": {"anyOf": [node, node]}}});
    let deep = (0..60).fold(json!({"n": "x"}), |inner, _| json!({"next": inner}));
    assert_eq!(coerce(&schema, deep.clone()).arguments, deep);
}

#[test]
fn absent_arguments_are_an_empty_object() {
    let none = json!({"type": "object", "properties": {}});
    let some = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    for raw in [
        None,
        Some("null"),
        Some("{}"),
        Some(" {} "),
        Some(r#""{}""#),
    ] {
        assert_eq!(
            parse_arguments(raw, &some),
            Ok(serde_json::Map::new()),
            "{raw:?}"
        );
    }
    assert_eq!(
        parse_arguments(Some("[]"), &none),
        Ok(serde_json::Map::new())
    );
    for raw in ["[]", "[1]", "1", r#""a""#, r#""[]""#, "1e999"] {
        assert!(parse_arguments(Some(raw), &some).is_err(), "{raw}");
    }
    let members = parse_arguments(Some(r#""{\"a\": 1}""#), &some).unwrap();
    assert_eq!(Value::Object(members), json!({"a": 1}));
}

/// Returns a strategy for schemas without strings, and for instances of the schemas.
fn typed() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|n| (json!({"type": "integer"}), json!(n))),
        any::<u64>().prop_map(|n| (json!({"type": "integer", "minimum": 0}), json!(n))),
        any::<f64>().prop_filter_map("finite", |n| {
            n.is_finite().then(|| (json!({"type": "number"}), json!(n)))
        }),
        any::<bool>().prop_map(|b| (json!({"type": "boolean"}), json!(b))),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0_usize..3).prop_map(|((schema, value), count)| {
                (
                    json!({"type": "array", "items": schema}),
                    json!(vec![value; count]),
                )
            }),
            (inner.clone(), inner.clone()).prop_map(|((one, a), (other, b))| (
                json!({"type": "array", "prefixItems": [one, other], "items": {}}),
                json!([a, b]),
            )),
            inner
                .clone()
                .prop_map(|(schema, value)| (json!({"anyOf": [schema, {"type": "null"}]}), value,)),
            (inner.clone(), inner).prop_map(|((one, a), (other, b))| (
                json!({
                    "type": "object",
                    "properties": {"a": one},
                    "required": ["a"],
                    "additionalProperties": other,
                }),
                json!({"a": a, "b": b}),
            )),
        ]
    })
}

/// Converts the value and all values in it to strings, as some models do.
fn quoted(value: &Value) -> Value {
    let inner = match value {
        Value::Array(items) => items.iter().map(quoted).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), quoted(value)))
            .collect(),
        scalar => scalar.clone(),
    };
    Value::from(inner.to_string())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn valid_arguments_keep_their_meaning(
        schema in arbitrary::schema(),
        instances in prop::collection::vec(arbitrary::instance(), 8),
    ) {
        for instance in instances.into_iter().filter(|it| is_valid(&schema, &schema, it)) {
            let coerced = coerce(&schema, instance.clone());
            prop_assert!(json_eq(&coerced.arguments, &instance), "{} {:?}", instance, coerced);
            let harmless = |coercion: &Coercion| coercion.to == "integer";
            prop_assert!(coerced.coercions.iter().all(harmless), "{:?}", coerced);
        }
    }

    #[test]
    fn quoted_arguments_are_coerced((schema, instance) in typed()) {
        prop_assert!(is_valid(&schema, &schema, &instance));
        let coerced = coerce(&schema, quoted(&instance));
        prop_assert!(json_eq(&coerced.arguments, &instance), "{:?}", coerced);
        prop_assert!(is_valid(&schema, &schema, &coerced.arguments));
    }
}

#[test]
fn recorded_coercions_are_bounded() {
    let schema = json!({"type": "object", "additionalProperties": {
        "type": "array", "items": {"type": "integer"},
    }});
    let key = "k".repeat(100_000);
    let arguments = json!({ key: vec!["1"; 10_000] });
    let coerced = coerce(&schema, arguments);
    assert!(coerced.coercions.len() <= 64);
    let bytes: usize = coerced.coercions.iter().map(|it| it.pointer.len()).sum();
    assert!(bytes < 64 * 1024, "{bytes}");
}
