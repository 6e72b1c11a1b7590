use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use support::wire::Revision;

use support::dispatcher_client::assert_contains;

use crate::client;

/// A person.
#[json]
struct Person<T> {
    /// How old.
    #[arg(range(1..=150), example = 42)]
    age: u8,
    #[arg(length(1..), pattern("^[A-Z]"))]
    name: String,
    #[arg(one_of("red", "green"))]
    colour: Option<String>,
    #[arg(items(..=2))]
    more: Vec<T>,
}

/// A shape.
#[json]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    /// Round.
    Circle {
        #[arg(range(0.0..))]
        radius: f64,
    },
    /// Without a size.
    Dot,
}

/// A label.
#[json]
enum Label {
    /// A text.
    Text { text: String },
    /// A number.
    Number(i64),
}

/// Describes a person.
#[tool(inline)]
fn person(person: Person<Shape>, label: Option<Label>) -> String {
    let kinds = person.more.iter().map(|shape| match shape {
        Shape::Circle { radius } => format!("circle {radius}"),
        Shape::Dot => "dot".to_owned(),
    });
    let kinds: Vec<String> = kinds.collect();
    let label = match label {
        Some(Label::Text { text }) => text,
        Some(Label::Number(number)) => number.to_string(),
        None => String::new(),
    };
    let Person {
        age, name, colour, ..
    } = person;
    format!("{age} {name} {colour:?} {kinds:?} {label}")
}

#[test]
fn field_rules_are_in_the_schema() {
    let mut client = client(Revision::V2026_07_28);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "person").unwrap();
    let person = &tool["inputSchema"]["properties"]["person"];
    assert_contains(
        &person["properties"],
        &json!({
            "age": { "type": "integer", "minimum": 1, "maximum": 150, "examples": [42] },
            "name": { "type": "string", "minLength": 1, "pattern": "^[A-Z]" },
            "colour": { "type": "string", "enum": ["red", "green"] },
            "more": { "type": "array", "maxItems": 2 },
        }),
    );
    assert_eq!(person["additionalProperties"], false);
    assert_eq!(person["properties"]["colour"].get("allOf"), None);
    assert!(!person.to_string().contains("null"), "{person}");
}

#[test]
fn field_rules_are_enforced() {
    let check = |change: Value, label: Value, rejected: bool| {
        let mut person = json!({ "age": 30, "name": "Ada", "more": [{ "kind": "dot" }] });
        for (name, value) in change.as_object().unwrap() {
            person[name] = value.clone();
        }
        let arguments = json!({ "person": person, "label": label });
        for revision in Revision::ALL {
            let answer = client(revision).call("person", arguments.clone());
            let is_error = answer["result"]["isError"] == true;
            assert_eq!(is_error, rejected, "{arguments}: {answer}");
        }
    };
    for (change, rejected) in [
        (json!({}), false),
        (json!({ "age": 0 }), true),
        (json!({ "age": 151 }), true),
        (json!({ "age": 150 }), false),
        (json!({ "name": "" }), true),
        (json!({ "name": "ada" }), true),
        (json!({ "colour": "red" }), false),
        (json!({ "colour": "blue" }), true),
        (json!({ "colour": null }), false),
        (
            json!({ "more": [{ "kind": "circle", "radius": 0.0 }] }),
            false,
        ),
        (
            json!({ "more": [{ "kind": "circle", "radius": -1.0 }] }),
            true,
        ),
        (
            json!({ "more": [{ "kind": "dot" }, { "kind": "dot" }, { "kind": "dot" }] }),
            true,
        ),
        (
            json!({ "more": [{ "kind": "circle", "radius": 1.0, "r": 1 }] }),
            true,
        ),
        (json!({ "more": [{ "kind": "dot", "r": 1 }] }), true),
        (json!({ "unknown": 1 }), true),
    ] {
        check(change, Value::Null, rejected);
    }
    check(json!({}), json!({ "Text": { "text": "x" } }), false);
    check(json!({}), json!({ "Number": 1 }), false);
    check(
        json!({}),
        json!({ "Text": { "text": "x", "more": 1 } }),
        true,
    );
}
