use std::any::Any;

use serde_json::{Value, json};

use super::{Adjust, Rule, clamp, items, length, one_of, pattern, range, unbounded};
use crate::argument::{Declared, Parameter, default_value, preset, tool_argument};

/// Leaks, since a descriptor lives as long as the program.
fn declared(parameter: Parameter) -> Declared {
    Declared::new("test", Box::leak(Box::new([parameter])))
}

fn rules(rule: impl Rule + 'static) -> &'static [&'static dyn Rule] {
    let rule: &dyn Rule = Box::leak(Box::new(rule));
    Box::leak(Box::new([rule]))
}

#[test]
fn what_contradicts_itself_is_found_at_the_start() {
    fn check(parameter: Parameter, expected: &[&str]) {
        let expected: Vec<String> = expected
            .iter()
            .map(|mistake| format!("argument `a`: {mistake}"))
            .collect();
        assert_eq!(declared(parameter).mistakes(), expected);
    }
    let number = tool_argument::<Option<u8>>("a", "");
    let text = tool_argument::<String>("a", "");
    check(
        number.with_rules(rules(range::<u8>(unbounded().from(1).to(3)))),
        &[],
    );
    check(
        number.with_rules(rules(range::<u8>(unbounded().from(3).before(3)))),
        &["nothing lies in `3..3`"],
    );
    check(
        number
            .with_rules(rules(range::<u8>(unbounded().from(1))))
            .with_default(const { &preset(|| Some(0_u8), default_value) }),
        &["its default `0` is against its own schema"],
    );
    check(
        number
            .with_rules(rules(range::<u8>(unbounded().from(1))))
            .with_default(const { &preset(|| None::<u8>, default_value) }),
        &[],
    );
    check(
        number.with_example(|| default_value("x")),
        &["its example `\"x\"` is against its own schema"],
    );
    check(
        tool_argument::<f64>("a", "")
            .with_clamp(Box::leak(Box::new(clamp::<f64>(unbounded().before(1.0))))),
        &["`..1.0` has no greatest value; write `..=`"],
    );
    check(text.with_header("Region"), &[]);
    check(
        tool_argument::<f64>("a", "").with_header("Share"),
        &["only text, whole numbers and booleans go into header `Share`"],
    );
}

#[test]
fn a_schema_by_hand_is_held_against_the_parameters() {
    fn check(schema: fn() -> Result<Value, String>, expected: &[&str]) {
        let declared = declared(tool_argument::<u8>("a", "")).with_schema(Some(schema));
        assert_eq!(declared.mistakes(), expected);
    }
    check(
        || Ok(json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] })),
        &[],
    );
    check(
        || Ok(json!({ "properties": {} })),
        &["`input_schema` must have `\"type\": \"object\"` at its root"],
    );
    check(
        || Ok(json!({ "type": "object", "properties": { "a": {} } })),
        &["`input_schema` does not require `a`; require it, or take an `Option`"],
    );
    check(
        || Ok(json!({ "type": "object", "required": ["a"] })),
        &["`input_schema` has no property `a`"],
    );
    check(
        || {
            let a = json!({ "pattern": "(?=a)" });
            Ok(json!({ "type": "object", "properties": { "a": a }, "required": ["a"] }))
        },
        &["`input_schema` has `/properties/a/pattern`, which cannot be enforced; remove it"],
    );
    check(
        || super::super::hand_written("{"),
        &["`input_schema` is no JSON: EOF while parsing an object at line 1 column 1"],
    );
}

#[test]
fn an_absent_value_satisfies_every_rule() {
    let rules: [&dyn Rule; 5] = [
        &range::<Option<u8>>(unbounded().from(1)),
        &length::<Option<String>>(unbounded().from(1)),
        &pattern::<Option<String>>("a"),
        &items::<Option<Vec<u8>>>(unbounded().from(1)),
        &one_of::<Option<u8>>(&[1]),
    ];
    let slots: [&dyn Any; 5] = [
        &Some(None::<u8>),
        &Some(None::<String>),
        &Some(None::<String>),
        &Some(None::<Vec<u8>>),
        &Some(None::<u8>),
    ];
    for (rule, slot) in rules.into_iter().zip(slots) {
        assert!(rule.holds(slot), "{rule:?}");
    }
}

#[test]
fn a_number_moves_to_the_nearer_end_only_if_it_is_outside() {
    let check = |number: i8, expected: Option<i8>| {
        let clamp = clamp::<i8>(unbounded().from(-1).before(3));
        let mut slot = Some(number);
        let moved = clamp.adjust(&mut slot);
        assert_eq!(moved, expected.map(|to| (number.into(), to.into())));
        assert_eq!(slot, Some(expected.unwrap_or(number)));
    };
    check(-2, Some(-1));
    check(-1, None);
    check(2, None);
    check(3, Some(2));
    check(i8::MAX, Some(2));
}
