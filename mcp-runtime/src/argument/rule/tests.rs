use std::any::Any;

use serde_json::{Value, json};

use super::{Clamp, Rule, clamp, items, length, one_of, pattern, range, unbounded};
use crate::argument::{ArgumentSet, Parameter, default_value, to_json_value, tool_argument};

/// Leaks the parameter, because an [`ArgumentSet`] needs parameters with a static lifetime.
fn argument_set(parameter: Parameter) -> ArgumentSet {
    ArgumentSet::new("test", Box::leak(Box::new([parameter])))
}

fn rules(rule: impl Rule + 'static) -> &'static [&'static dyn Rule] {
    let rule: &dyn Rule = Box::leak(Box::new(rule));
    Box::leak(Box::new([rule]))
}

#[test]
fn contradictions_are_definition_errors() {
    fn check(parameter: Parameter, expected: &[&str]) {
        let expected: Vec<String> = expected
            .iter()
            .map(|error| format!("argument `a`: {error}"))
            .collect();
        assert_eq!(argument_set(parameter).definition_errors(), expected);
    }
    let number = tool_argument::<Option<u8>>("a", "");
    let text = tool_argument::<String>("a", "");
    check(
        number.with_rules(rules(range::<u8>(unbounded().from(1).to(3)))),
        &[],
    );
    check(
        number.with_rules(rules(range::<u8>(unbounded().from(3).before(3)))),
        &["the range `3..3` is empty"],
    );
    check(
        number
            .with_rules(rules(range::<u8>(unbounded().from(1))))
            .with_default(const { &default_value(|| Some(0_u8), to_json_value) }),
        &["its default `0` violates its own schema"],
    );
    check(
        number
            .with_rules(rules(range::<u8>(unbounded().from(1))))
            .with_default(const { &default_value(|| None::<u8>, to_json_value) }),
        &[],
    );
    check(
        number.with_example(|| to_json_value("x")),
        &["its example `\"x\"` violates its own schema"],
    );
    check(
        tool_argument::<f64>("a", "")
            .with_clamp(Box::leak(Box::new(clamp::<f64>(unbounded().before(1.0))))),
        &["`..1.0` has no largest value; write `..=`"],
    );
    check(text.with_header("Region"), &[]);
    check(
        tool_argument::<f64>("a", "").with_header("Share"),
        &["only strings, integers and booleans can be in header `Share`"],
    );
}

#[test]
fn a_custom_schema_is_checked_against_the_parameters() {
    fn check(schema: fn() -> Result<Value, String>, expected: &[&str]) {
        let argument_set = argument_set(tool_argument::<u8>("a", "")).with_schema(Some(schema));
        assert_eq!(argument_set.definition_errors(), expected);
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
        || super::super::custom_schema("{"),
        &["`input_schema` is not JSON: EOF while parsing an object at line 1 column 1"],
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
        assert!(rule.is_satisfied(slot), "{rule:?}");
    }
}

#[test]
fn only_a_number_outside_is_moved_to_the_nearer_bound() {
    let check = |number: i8, expected: Option<i8>| {
        let clamp = clamp::<i8>(unbounded().from(-1).before(3));
        let mut slot = Some(number);
        let moved = clamp.clamp(&mut slot);
        assert_eq!(moved, expected.map(|to| (number.into(), to.into())));
        assert_eq!(slot, Some(expected.unwrap_or(number)));
    };
    check(-2, Some(-1));
    check(-1, None);
    check(2, None);
    check(3, Some(2));
    check(i8::MAX, Some(2));
}
