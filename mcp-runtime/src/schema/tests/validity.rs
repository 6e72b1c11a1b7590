//! Compares the results of `check` with those of the `jsonschema` crate.

use super::super::{check, normalize_output, unsupported_keywords};
use super::arbitrary::{instance, schema};
use proptest::prelude::*;
use serde_json::{Value, json};

fn is_valid_for_reference(schema: &Value, instance: &Value) -> bool {
    jsonschema::draft202012::new(schema)
        .unwrap()
        .is_valid(instance)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_agree_with_the_reference_validator(
        schema in schema(),
        instances in prop::collection::vec(instance(), 12),
    ) {
        let reference = jsonschema::draft202012::new(&schema).unwrap();
        for instance in instances {
            let found = check(&schema, &instance);
            prop_assert_eq!(reference.is_valid(&instance), found.is_empty(), "{} {:?}", instance, found);
            for violation in found {
                let parent = violation.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                prop_assert!(instance.pointer(parent).is_some(), "{}", violation.pointer);
            }
        }
    }

    #[test]
    fn normalization_keeps_the_meaning(
        schema in schema(),
        instances in prop::collection::vec(instance(), 12),
    ) {
        let normalized = normalize_output(schema.clone());
        for instance in instances {
            let (before, after) = (check(&schema, &instance), check(&normalized, &instance));
            prop_assert_eq!(before.is_empty(), after.is_empty(), "{} {} {}", schema, normalized, instance);
        }
    }

    #[test]
    fn any_value_is_accepted_as_a_schema(schema in instance(), instance in instance()) {
        check(&schema, &instance);
        unsupported_keywords(&schema);
    }
}

#[test]
fn numbers_are_compared_exactly() {
    let cases = [
        (
            json!({"maximum": 9_007_199_254_740_992_i64}),
            json!(9_007_199_254_740_993_i64),
        ),
        (json!({"multipleOf": 0.1}), json!(0.3)),
        (json!({"multipleOf": 0.1}), json!(1e300)),
        (json!({"multipleOf": 2.5}), json!(0)),
        (json!({"multipleOf": 0.01}), json!(19.99)),
        (json!({"type": "integer"}), json!(1e300)),
        (json!({"maximum": u64::MAX}), json!(1e300)),
        (json!({"const": 1}), json!(1.0)),
        (json!({"uniqueItems": true}), json!([1, 1.0])),
        (
            json!({"uniqueItems": true}),
            json!([{"a": 1, "b": 2}, {"b": 2.0, "a": 1.0}]),
        ),
        (json!({"uniqueItems": true}), json!([1, true, "1", [1]])),
    ];
    for (schema, instance) in cases {
        let valid = check(&schema, &instance).is_empty();
        assert_eq!(
            valid,
            is_valid_for_reference(&schema, &instance),
            "{schema} {instance}"
        );
    }
}

#[test]
fn endless_references_are_rejected() {
    let itself = json!({"$ref": "#"});
    assert!(!check(&itself, &json!(1)).is_empty());
    let doubling = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]});
    assert!(!check(&doubling, &json!(1)).is_empty());
    let negated = json!({"not": {"$ref": "#"}});
    assert!(!check(&negated, &json!(1)).is_empty());
}

#[test]
fn unsupported_keywords_are_listed() {
    let schema = json!({
        "properties": {
            "a": {"pattern": "(?=x)"},
            "b/c": {"$ref": "other.json"},
            "d": {"type": "array", "unevaluatedItems": false},
            "e": {"pattern": "^x", "format": "email"},
        },
        "patternProperties": {r"\p{L}": true},
    });
    let expected = [
        "/patternProperties/\\p{L}",
        "/properties/a/pattern",
        "/properties/b~1c/$ref",
        "/properties/d/unevaluatedItems",
    ];
    assert_eq!(unsupported_keywords(&schema), expected);
}
