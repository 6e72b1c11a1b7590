use mcp_runtime::prelude::*;
use serde_json::{Value, json};
use wire::Revision;

use crate::talk::{ALL, Talk, assert_contains};

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
    /// Without measures.
    Dot,
}

/// How it is told.
#[json]
enum Told {
    /// With a text.
    Text { text: String },
    /// With a number.
    Number(i64),
}

/// Takes a person.
#[tool(inline)]
fn person(person: Person<Shape>, told: Option<Told>) -> String {
    let kinds = person.more.iter().map(|shape| match shape {
        Shape::Circle { radius } => format!("circle {radius}"),
        Shape::Dot => "dot".to_owned(),
    });
    let kinds: Vec<String> = kinds.collect();
    let told = match told {
        Some(Told::Text { text }) => text,
        Some(Told::Number(number)) => number.to_string(),
        None => String::new(),
    };
    let Person {
        age, name, colour, ..
    } = person;
    format!("{age} {name} {colour:?} {kinds:?} {told}")
}

#[test]
fn limits_of_fields_are_advertised() {
    let mut talk = Talk::in_revision(Revision::V2026_07_28);
    let listed = talk.ask("tools/list", json!({}));
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
fn limits_of_fields_are_enforced() {
    let check = |change: Value, told: Value, refused: bool| {
        let mut person = json!({ "age": 30, "name": "Ada", "more": [{ "kind": "dot" }] });
        for (name, value) in change.as_object().unwrap() {
            person[name] = value.clone();
        }
        let arguments = json!({ "person": person, "told": told });
        for revision in ALL {
            let answer = Talk::in_revision(revision).call("person", arguments.clone());
            let is_error = answer["result"]["isError"] == true;
            assert_eq!(is_error, refused, "{arguments}: {answer}");
        }
    };
    for (change, refused) in [
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
        check(change, Value::Null, refused);
    }
    check(json!({}), json!({ "Text": { "text": "x" } }), false);
    check(json!({}), json!({ "Number": 1 }), false);
    check(
        json!({}),
        json!({ "Text": { "text": "x", "more": 1 } }),
        true,
    );
}
