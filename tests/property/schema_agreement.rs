//! The input schema of a tool and the values that it accepts agree.
//!
//! Each call is checked with `jsonschema` as the reference:
//! valid arguments are accepted, and the value that the handler receives is valid
//! and equivalent to what was sent.
//! Coercion only widens what is accepted, so the second check is about the value
//! that the handler receives. Numbers beyond 2^53 are left out: the bounds of
//! 64-bit types are enforced and not in the schema.

use jsonschema::Validator;
use mcp_runtime::dispatch::{Connection, DispatchOutcome};
use mcp_runtime::{Dispatcher, Server, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;

use crate::equivalence::is_equivalent;
use crate::schema_instances::almost_valid;
use crate::types::NAMES;

/// A dispatcher and its listed tools.
struct ListedTools {
    dispatcher: Dispatcher,
    tools: Vec<Value>,
}

impl ListedTools {
    fn new() -> Self {
        let dispatcher = Server::new("tests", "1").build().unwrap();
        let list = request(&dispatcher, "tools/list", json!({}));
        let tools = list["result"]["tools"].as_array().unwrap().clone();
        Self { dispatcher, tools }
    }

    fn schema(&self, name: &str) -> &Value {
        let tool = self.tools.iter().find(|tool| tool["name"] == name);
        &tool.unwrap()["inputSchema"]
    }
}

fn request(dispatcher: &Dispatcher, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut reply = Vec::new();
    let answered = dispatcher.dispatch(
        request.to_string().as_bytes(),
        &Connection::new(),
        &mut reply,
    );
    assert!(matches!(answered, DispatchOutcome::Replied(_)));
    serde_json::from_slice(&reply).unwrap()
}

/// Whether a value has a number beyond 2^53, or a text that may be one.
fn is_wide(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| number.abs() > 9e15),
        Value::Array(items) => items.iter().any(is_wide),
        Value::Object(members) => {
            members.values().any(is_wide) || members.keys().any(|key| key.len() > 9)
        }
        Value::String(text) => text.len() > 15,
        _ => false,
    }
}

/// Whether some object of the schema allows undeclared properties.
fn is_open(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => {
            let unnamed = || keywords.get("additionalProperties") != Some(&Value::Bool(false));
            (keywords.contains_key("properties") && unnamed()) || keywords.values().any(is_open)
        }
        Value::Array(items) => items.iter().any(is_open),
        _ => false,
    }
}

/// Removes members that are `null`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            members
                .map(|(name, value)| (name, without_nulls(value)))
                .collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        value => value,
    }
}

fn check(
    listed: &ListedTools,
    validator: &Validator,
    name: &str,
    arguments: &Value,
) -> Result<bool, TestCaseError> {
    let answer = request(
        &listed.dispatcher,
        "tools/call",
        json!({ "name": name, "arguments": arguments }),
    );
    let valid = validator.is_valid(arguments);
    let result = &answer["result"];
    let fail = |reason: &str| {
        Err(TestCaseError::fail(format!(
            "{name} {arguments}: {reason}\n{answer}"
        )))
    };
    let accepted = result["isError"] != true;
    if !accepted {
        let may_reject = !valid || is_wide(arguments);
        return if may_reject {
            Ok(false)
        } else {
            fail("valid and rejected")
        };
    }
    let received = &result["structuredContent"][0];
    let sent = arguments.get("value").unwrap_or(&Value::Null);
    if !sent.is_null() && !is_equivalent(sent, received, is_open(listed.schema(name))) {
        return fail("the handler received another value");
    }
    let received = json!({ "value": received });
    if !valid && !validator.is_valid(&received) && !validator.is_valid(&without_nulls(received)) {
        return fail("accepted and invalid");
    }
    Ok(true)
}

#[test]
fn every_type_accepts_exactly_what_its_schema_accepts() {
    let listed = ListedTools::new();
    for name in NAMES {
        let schema = listed.schema(name);
        let validator = jsonschema::validator_for(schema).unwrap();
        let mut runner = TestRunner::new(Config {
            failure_persistence: None,
            ..Config::default()
        });
        let (accepted, rejected) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        let outcome = runner.run(&almost_valid(schema, schema, 0), |arguments| {
            let count = if check(&listed, &validator, name, &arguments)? {
                &accepted
            } else {
                &rejected
            };
            count.set(count.get() + 1);
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{error}\n{schema}");
        }
        assert!(accepted.get() > 0, "{name} accepts nothing");
        assert!(rejected.get() > 0, "{name} rejects nothing");
    }
}

/// The result of a call with another argument beside the value.
fn call_with(
    listed: &ListedTools,
    name: &str,
    value: &Value,
    other: Value,
) -> Result<Value, TestCaseError> {
    let arguments = json!({ "value": value, "other": other });
    let params = json!({ "name": name, "arguments": arguments });
    let reply = request(&listed.dispatcher, "tools/call", params);
    Ok(reply["result"]["structuredContent"].clone())
}

#[test]
fn coercing_one_argument_does_not_change_another() {
    let listed = ListedTools::new();
    for name in NAMES {
        let schema = listed.schema(name);
        let value = almost_valid(schema, &schema["properties"]["value"], 0);
        let value = prop_oneof![9 => value, 1 => Just(json!({ "note": null, "rank": 1 }))];
        let mut runner = TestRunner::new(Config {
            failure_persistence: None,
            ..Config::default()
        });
        let outcome = runner.run(&value, |value| {
            let plain = call_with(&listed, name, &value, json!(1))?;
            let coerced = call_with(&listed, name, &value, json!("1"))?;
            prop_assert_eq!(plain, coerced, "{} {}", name, value);
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{error}\n{schema}");
        }
    }
}

#[track_caller]
fn check_value(name: &str, value: &str, expected: Option<&str>) {
    let listed = ListedTools::new();
    for other in ["1", "\"1\""] {
        let params = format!(
            r#"{{"name":"{name}","arguments":{{"value":{value},"other":{other}}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}"#
        );
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let mut reply = Vec::new();
        let answered =
            listed
                .dispatcher
                .dispatch(request.as_bytes(), &Connection::new(), &mut reply);
        assert!(matches!(answered, DispatchOutcome::Replied(_)));
        let reply = String::from_utf8(reply).unwrap();
        let rejected = reply.contains("\"isError\":true");
        match expected {
            None => assert!(rejected, "{reply}"),
            Some(value) => {
                let expected = format!("\"structuredContent\":[{value}]");
                assert!(reply.contains(&expected), "{expected} in {reply}");
            }
        }
    }
}

#[test]
fn flattened_fields_are_closed_and_checked() {
    check_value(
        "of_paged",
        r#"{"text":"x","page":1}"#,
        Some(r#"{"text":"x","page":1,"size":null}"#),
    );
    check_value("of_paged", r#"{"text":"x","page":1,"pgae":7}"#, None);
    check_value("of_maybe_paged", r#"{"id":1}"#, Some(r#"{"id":1}"#));
    check_value("of_maybe_paged", r#"{"id":1,"page":"x"}"#, None);
    check_value("of_maybe_paged", r#"{"id":1,"pgae":1}"#, None);
    check_value("of_maybe_paged", r#"{"id":1,"page":1,"page":2}"#, None);
    check_value("of_shaped", r#"{"id":1,"kind":"Struct","x":1,"z":1}"#, None);
    check_value(
        "of_open",
        r#"{"a":true,"b":1}"#,
        Some(r#"{"a":true,"b":1}"#),
    );
}

#[test]
fn aliases_are_taken_always() {
    let read = r#"{"in_minutes":1,"pattern":"x"}"#;
    for alias in ["pattern", "file_pattern", "glob"] {
        for minutes in ["1", "\"1\""] {
            let value = format!(r#"{{"in_minutes":{minutes},"{alias}":"x"}}"#);
            check_value("of_aliased", &value, Some(read));
            let text = serde_json::to_string(&value).unwrap();
            check_value("of_aliased", &text, Some(read));
        }
    }
    check_value(
        "of_aliased",
        r#"{"in_minutes":1,"glob":"x","pattern":"y"}"#,
        None,
    );
}

#[test]
fn null_is_kept_where_the_type_distinguishes_it() {
    check_value("of_nested_option", "null", Some("null"));
    check_value(
        "of_patch",
        r#"{"note":null}"#,
        Some(r#"{"note":null,"rank":0}"#),
    );
    check_value("of_patch", r#"{}"#, Some(r#"{"rank":0}"#));
    check_value(
        "of_patch",
        r#"{"note":null,"rank":"2"}"#,
        Some(r#"{"note":null,"rank":2}"#),
    );
    check_value(
        "of_patch",
        r#"{"note":null,"rank":null}"#,
        Some(r#"{"note":null,"rank":0}"#),
    );
}

#[test]
fn numbers_are_exact_or_rejected() {
    check_value("of_f64", "117.63331139400017", Some("117.63331139400017"));
    check_value(
        "of_f64",
        "\"117.63331139400017\"",
        Some("117.63331139400017"),
    );
    check_value("of_i64", "9007199254740993", Some("9007199254740993"));
    check_value("of_i64", "9007199254740991.0", Some("9007199254740991"));
    check_value("of_i64", "9007199254740993.0", None);
    check_value("of_i64", "9223372036854775808", None);
    check_value("of_f64", "1e400", None);
    check_value("of_f32", "1e400", None);
    let widest = "-170141183460469231731687303715884105728";
    check_value("of_wide", widest, Some(widest));
    check_value("of_wide", &format!("\"{widest}\""), Some(widest));
    let widest = "340282366920938463463374607431768211455";
    check_value("of_unsigned_wide", widest, Some(widest));
    check_value("of_unsigned_wide", &format!("\" {widest} \""), Some(widest));
    check_value("of_unsigned_wide", "\"-1\"", None);
    check_value("of_wide", &format!("\"{widest}\""), None);
}

#[test]
fn duplicate_members_are_rejected() {
    check_value("of_point", r#"{"x":1,"x":2}"#, None);
    check_value("of_u8", r#"1,"value":2"#, None);
    check_value("of_u8", r#"1,"\ud800":0,"value":2"#, None);
}
