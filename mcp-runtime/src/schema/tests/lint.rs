use super::super::lint::lint;
use super::super::{
    Property, input_generator, normalize_input, normalize_output, object_schema, output_generator,
    schema_of,
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde_json::{Value, json};

/// Checks the pointers of the findings for an input schema.
fn check(input_schema: Value, expected: &[&str]) {
    let findings = lint("tool", None, &input_schema, None);
    let pointers: Vec<&str> = findings
        .iter()
        .map(|finding| finding.pointer.as_str())
        .collect();
    assert_eq!(pointers, expected, "{input_schema} {findings:#?}");
}

/// Checks the pointers of the findings for a property `a`.
fn check_property(schema: Value, expected: &[&str]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|suffix| format!("/inputSchema/properties/a{suffix}"))
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(
        json!({"type": "object", "properties": {"a": schema}}),
        &expected,
    );
}

#[test]
fn invalid_names_are_found() {
    let long = "a".repeat(65);
    let prefixed = "a".repeat(41);
    let empty = json!({"type": "object", "properties": {}});
    for name in ["files.read", "", "a/b", "ä", &long, &prefixed] {
        let findings = lint(name, None, &empty, None);
        assert_eq!(findings.len(), 1, "{name}: {findings:?}");
        assert_eq!(findings[0].pointer, "/name");
    }
    assert_eq!(lint("files_read-2", None, &empty, None), []);
}

#[test]
fn the_root_of_the_input_must_be_a_flat_object() {
    check(json!({"type": "object", "properties": {}}), &[]);
    check(json!({"type": "object"}), &["/inputSchema"]);
    check(Value::Null, &["/inputSchema", "/inputSchema"]);
    check(
        json!({"type": "object", "properties": {}, "oneOf": [{"type": "object"}]}),
        &["/inputSchema/oneOf"],
    );
    check(
        json!({"type": "object", "properties": {}, "$schema": "x"}),
        &["/inputSchema/$schema"],
    );
}

#[test]
fn each_rejected_keyword_is_found_with_its_pointer() {
    check_property(json!({"type": "string"}), &[]);
    check_property(json!({"type": ["string", "null"]}), &["/type"]);
    check_property(json!(true), &[""]);
    check_property(json!({}), &[""]);
    check_property(json!({"type": "array"}), &[""]);
    check_property(
        json!({"type": "array", "items": {"type": "array"}}),
        &["/items"],
    );
    check_property(json!({"const": 1}), &["/const"]);
    check_property(json!({"type": "integer", "format": "uint8"}), &["/format"]);
    check_property(json!({"type": "string", "format": "uri"}), &["/format"]);
    check_property(json!({"type": "string", "format": "date"}), &[]);
    check_property(json!({"type": "integer", "enum": [1, 2]}), &["/enum"]);
    check_property(json!({"type": "string", "enum": ["", "a"]}), &["/enum"]);
    let above = json!({"type": "number", "exclusiveMinimum": 0});
    check_property(above, &["/exclusiveMinimum"]);
    let below = json!({"type": "number", "exclusiveMaximum": 0});
    check_property(below, &["/exclusiveMaximum"]);
    let set = json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true});
    check_property(set, &["/uniqueItems"]);
    let tuple = json!({"type": "array", "items": {"type": "string"}, "prefixItems": []});
    check_property(tuple, &["/prefixItems"]);
    let map = json!({"type": "object", "propertyNames": {"type": "string", "pattern": "^a$"}});
    check_property(map, &["/propertyNames"]);
    for (pattern, expected) in [("a", true), ("^a", true), ("a$", true), ("^a$", false)] {
        let expected: &[&str] = if expected { &["/pattern"] } else { &[] };
        check_property(json!({"type": "string", "pattern": pattern}), expected);
    }
    check_property(
        json!({"type": "object", "additionalProperties": false}),
        &[],
    );
    let objects = json!([{"type": "object"}, {"type": "object"}]);
    check_property(
        json!({"type": "array", "items": {"anyOf": objects}}),
        &["/items"],
    );
}

#[test]
fn property_names_of_the_root_are_portable() {
    let long = "a".repeat(65);
    for name in ["größe", "order[by]", "a b", "", "a/b", &long] {
        let properties = json!({ name: {"type": "string"} });
        let findings = lint(
            "tool",
            None,
            &json!({"type": "object", "properties": properties}),
            None,
        );
        assert_eq!(findings.len(), 1, "{name}: {findings:?}");
        assert!(findings[0].pointer.starts_with("/inputSchema/properties/"));
    }
    let inner = json!({"type": "object", "properties": {"order[by]": {"type": "string"}}});
    check_property(inner, &[]);
}

#[test]
fn long_descriptions_are_found() {
    let empty = json!({"type": "object", "properties": {}});
    let count = |length: usize| {
        let description = "ä".repeat(length);
        lint("tool", Some(&description), &empty, None).len()
    };
    assert_eq!((count(1024), count(1025), count(2049)), (0, 1, 2));
}

#[test]
fn references_need_a_target_and_recursion() {
    check_property(json!({"$ref": "#/$defs/Missing"}), &["/$ref"]);
    check_property(json!({"$ref": "#/properties/a"}), &["/$ref"]);
    let with_definition = |definition: Value| {
        json!({
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/N"}},
            "$defs": {"N": definition},
        })
    };
    check(
        with_definition(json!({"type": "string"})),
        &["/inputSchema/properties/a/$ref"],
    );
    let recursive = json!({"type": "array", "items": {"$ref": "#/$defs/N"}});
    check(with_definition(recursive), &[]);
}

#[test]
fn the_root_of_the_output_must_be_an_object() {
    let empty = json!({"type": "object", "properties": {}});
    let findings = lint(
        "tool",
        None,
        &empty,
        Some(&json!({"type": "integer", "format": "int32"})),
    );
    let pointers: Vec<&str> = findings
        .iter()
        .map(|finding| finding.pointer.as_str())
        .collect();
    assert_eq!(pointers, ["/outputSchema", "/outputSchema/format"]);
    assert_eq!(
        lint("tool", None, &empty, Some(&json!({"type": "object"}))),
        []
    );
}

#[allow(dead_code)]
#[derive(JsonSchema)]
struct Everything {
    small: Option<u8>,
    list: Vec<Option<i64>>,
    map: std::collections::HashMap<String, Vec<i32>>,
    unit: (),
    next: Option<Box<Everything>>,
    level: Level,
    choice: Option<Choice>,
    when: chrono::NaiveDateTime,
    nonzero: std::num::NonZeroI16,
}

#[allow(dead_code)]
#[derive(JsonSchema)]
enum Level {
    /// Quiet.
    Low,
    High,
}

#[allow(dead_code)]
#[derive(JsonSchema)]
#[serde(tag = "kind")]
enum Choice {
    One { x: Option<f32> },
    Two,
}

#[test]
fn generated_schemas_have_no_findings() {
    let schema = normalize_input(schema_of::<Everything>(input_generator()));
    let input = object_schema([Property {
        name: "everything",
        schema,
        required: true,
        default: None,
    }]);
    let output = normalize_output(schema_of::<Everything>(output_generator()));
    assert_eq!(lint("tool", None, &input, Some(&output)), []);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_can_be_linted_and_normalized(
        schema in super::arbitrary::schema(),
        any in super::arbitrary::instance(),
    ) {
        lint("tool", None, &schema, Some(&any));
        lint("tool", None, &any, Some(&schema));
        normalize_input(any);
        normalize_input(schema.clone());
        let once = normalize_output(schema);
        prop_assert_eq!(normalize_output(once.clone()), once);
    }
}
