use super::{misnamed_hint, render};
use crate::schema::{self, Property, check, example, is_valid, normalize_input};
use serde_json::{Value, json};

/// Returns the error text for a call of a tool with this schema.
fn text_of(schema: &Value, arguments: Value) -> String {
    let (violations, example) = (check(schema, &arguments), example(schema, &arguments));
    render("tool", &violations, None, example.as_ref())
}

fn check_text(schema: &Value, arguments: Value, expected: &[&str]) {
    let text = text_of(schema, arguments);
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    if let Some(example) = text.lines().find_map(|line| line.strip_prefix("example: ")) {
        let example = serde_json::from_str(example).unwrap();
        assert!(is_valid(schema, schema, &example), "{example}");
    }
}

fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = json!(description);
    schema
}

/// Returns the schema that the macro generates for a tool `add`.
fn add() -> Value {
    let integer = || normalize_input(schema::schema_of::<i64>(schema::input_generator()));
    let mut bounded = integer();
    bounded["minimum"] = json!(-1000);
    bounded["maximum"] = json!(1000);
    schema::object_schema([
        Property {
            name: "a",
            schema: described(integer(), "The first addend."),
            required: true,
            default: None,
        },
        Property {
            name: "b",
            schema: described(bounded, "The second addend."),
            required: false,
            default: Some(json!(1)),
        },
    ])
}

#[test]
fn every_problem_is_listed_with_a_valid_example() {
    check_text(
        &add(),
        json!({"a": "two", "bb": 7}),
        &[
            "invalid arguments for `tool`: 2 problems",
            r#"/a: expected an integer, got the string "two""#,
            "/bb: unknown argument; did you mean `b`?",
            r#"example: {"a":1,"b":7}"#,
        ],
    );
}

#[test]
fn a_missing_argument_comes_with_its_description() {
    check_text(
        &add(),
        json!({"b": 5000}),
        &[
            "invalid arguments for `tool`: 2 problems",
            "/a: missing, expected an integer (The first addend.)",
            "/b: expected an integer from -1000 to 1000, got the number 5000",
            r#"example: {"a":1,"b":1}"#,
        ],
    );
}

#[test]
fn null_for_a_required_argument_is_reported_as_null() {
    check_text(
        &add(),
        json!({"a": null}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/a: expected an integer, got null",
            r#"example: {"a":1}"#,
        ],
    );
}

#[test]
fn integer_limits_are_stated_only_for_numbers_outside() {
    let schema = schema::object_schema([Property {
        name: "n",
        schema: normalize_input(schema::schema_of::<i32>(schema::input_generator())),
        required: true,
        default: None,
    }]);
    check_text(
        &schema,
        json!({"n": []}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/n: expected an integer, got the array []",
            r#"example: {"n":1}"#,
        ],
    );
    check_text(
        &schema,
        json!({"n": 3_000_000_000_u32}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/n: expected an integer from -2147483648 to 2147483647, got the number 3000000000",
            r#"example: {"n":1}"#,
        ],
    );
}

#[test]
fn listed_values_are_named_and_the_nearest_is_offered() {
    let schema = json!({
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "green", "blue"]}},
    });
    check_text(
        &schema,
        json!({"colour": "grean"}),
        &[
            "invalid arguments for `tool`: 1 problem",
            r#"/colour: expected one of "red", "green", "blue", got the string "grean"; did you mean "green"?"#,
            r#"example: {"colour":"red"}"#,
        ],
    );
    let many: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
    let schema = json!({"properties": {"v": {"enum": many}}, "type": "object"});
    let text = text_of(&schema, json!({"v": "other"}));
    assert!(
        text.contains(r#""v11", or 18 more, got the string "other""#),
        "{text}"
    );
}

#[test]
fn unknown_names_without_a_near_one_list_the_known() {
    check_text(
        &add(),
        json!({"a": 1, "colour": 1}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/colour: unknown argument; known names: `a`, `b`",
            r#"example: {"a":1}"#,
        ],
    );
    check_text(
        &schema::object_schema([]),
        json!({"x": 1}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/x: unknown argument; none is allowed",
            "example: {}",
        ],
    );
}

#[test]
fn limits_are_stated_in_words() {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 2, "maxLength": 3},
            "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
            "list": {"type": "array", "items": {"type": "string"}, "maxItems": 1},
            "set": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true},
            "half": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "when": {"type": "string", "format": "date-time"},
        },
    });
    check_text(
        &schema,
        json!({
            "text": "long text", "code": "x", "list": ["a", "b"], "set": [1, 1], "half": 0.25,
            "when": 5,
        }),
        &[
            "invalid arguments for `tool`: 6 problems",
            r#"/code: expected a string matching `^[A-Z]{2}$`, got the string "x""#,
            "/half: expected a number above 0 that is a multiple of 0.5, got the number 0.25",
            r#"/list: expected an array of strings with at most 1 item, got the array ["a","b"]"#,
            "/set: expected an array of integers, without duplicates, got the array [1,1]",
            r#"/text: expected a string of 2 to 3 characters, got the string "long text""#,
            "/when: expected a string in the format `date-time` (`YYYY-MM-DDThh:mm:ssZ`, such as `2026-01-31T12:00:00Z`), got the number 5",
            concat!(
                r#"example: {"code":"AB","half":1,"list":["text"],"set":[1],"text":"ab","#,
                r#""when":"2026-01-31T12:00:00Z"}"#,
            ),
        ],
    );
}

/// Returns a schema with a property `shape`, which is a circle or a label.
fn shape() -> Value {
    let variant = |kind: &str, schema: Value| {
        json!({
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": [kind]}, "x": schema},
            "required": ["kind", "x"],
        })
    };
    json!({
        "type": "object",
        "properties": {"shape": {"anyOf": [
            variant("circle", json!({"type": "number"})),
            variant("label", json!({"type": "string"})),
        ]}},
    })
}

#[test]
fn the_matching_alternative_is_explained() {
    let lines = [
        (
            json!({"kind": "circle", "x": "wide"}),
            r#"/shape/x: expected a number, got the string "wide""#,
        ),
        (
            json!({"kind": "circel", "x": 1}),
            concat!(
                r#"/shape/kind: expected one of "circle", "label", got the string "circel"; "#,
                r#"did you mean "circle"?"#,
            ),
        ),
        (
            json!({"x": 1}),
            r#"/shape/kind: missing, expected one of "circle", "label""#,
        ),
        (
            json!(3),
            concat!(
                r#"/shape: expected an object with `kind` "circle" or "#,
                r#"an object with `kind` "label", got the number 3"#,
            ),
        ),
    ];
    for (sent, line) in lines {
        let expected = [
            "invalid arguments for `tool`: 1 problem",
            line,
            r#"example: {"shape":{"kind":"circle","x":1}}"#,
        ];
        check_text(&shape(), json!({"shape": sent}), &expected);
    }
}

#[test]
fn long_values_and_long_lists_are_shortened() {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "list": {"type": "array", "items": {"type": "integer"}}},
    });
    let text = text_of(&schema, json!({"n": "é".repeat(1_000_000)}));
    let expected = format!(
        "/n: expected an integer, got the string \"{}…\"",
        "é".repeat(59)
    );
    assert_eq!(text.lines().nth(1), Some(expected.as_str()));
    let text = text_of(&schema, json!({"list": vec!["x"; 1_000]}));
    assert_eq!(text.lines().count(), 23, "{text}");
    assert_eq!(text.lines().nth(21), Some("… and 81 more"));
    let wide = json!({"n": {"deep": vec![vec![0; 1_000]; 1_000]}});
    let line = text_of(&schema, wide)
        .lines()
        .nth(1)
        .map(|line| line.chars().count());
    assert!(line < Some(120), "{line:?}");
}

#[test]
fn a_name_cannot_break_its_line() {
    let text = text_of(&add(), json!({"a": 1, "x\ny": 1}));
    assert_eq!(
        text.lines().nth(1),
        Some(r"/x\ny: unknown argument; known names: `a`, `b`")
    );
}

#[test]
fn no_example_is_better_than_a_wrong_one() {
    let schema = json!({
        "type": "object",
        "properties": {"key": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
        "required": ["key"],
    });
    check_text(
        &schema,
        json!({}),
        &[
            "invalid arguments for `tool`: 1 problem",
            "/key: missing, expected a string matching `^[0-9a-f]{64}$`",
        ],
    );
}

#[test]
fn arguments_under_another_name_are_pointed_out() {
    let hint = misnamed_hint(["name", "parameters"]);
    let violations = check(&add(), &json!({}));
    let text = render(
        "add",
        &violations,
        hint.as_deref(),
        example(&add(), &json!({})).as_ref(),
    );
    let expected = "hint: the request has `parameters` but no `arguments`; \
                    rename `parameters` to `arguments`";
    assert_eq!(text.lines().nth(2), Some(expected));
    assert_eq!(misnamed_hint(["name", "_meta"]), None);
}
