//! What is advertised is enforced, and what is enforced is advertised.
//!
//! Of each call two things are asked, with `jsonschema` as the judge:
//! what it finds valid is accepted; and what is accepted, the body sees as a
//! value that it finds valid and that means what was sent.
//! Coercion only widens what is accepted, so the second question is about what
//! the body saw. Left out are numbers beyond 2^53 in size: the ends of wide
//! types are enforced and not advertised.

use jsonschema::Validator;
use mcp_runtime::{Dispatched, Dispatcher, Peer, Server, Value};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;

use crate::instances::near;
use crate::meaning::means;
use crate::types::NAMES;

/// A server, and what it says of its tools.
struct Advertised {
    dispatcher: Dispatcher,
    tools: Vec<Value>,
}

impl Advertised {
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
    let answered = dispatcher.dispatch(request.to_string().as_bytes(), &Peer::new(), &mut reply);
    assert!(matches!(answered, Dispatched::Replied(_)));
    serde_json::from_slice(&reply).unwrap()
}

/// Whether a number is where wide types end.
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

/// Whether some object of the schema takes members that it does not name.
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

/// Without the members that only say that there is no value.
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
    advertised: &Advertised,
    judge: &Validator,
    name: &str,
    arguments: &Value,
) -> Result<bool, TestCaseError> {
    let answer = request(
        &advertised.dispatcher,
        "tools/call",
        json!({ "name": name, "arguments": arguments }),
    );
    let valid = judge.is_valid(arguments);
    let result = &answer["result"];
    let fail = |told: &str| {
        Err(TestCaseError::fail(format!(
            "{name} {arguments}: {told}\n{answer}"
        )))
    };
    let accepted = result["isError"] != true;
    if !accepted {
        let refused_rightly = !valid || is_wide(arguments);
        return if refused_rightly {
            Ok(false)
        } else {
            fail("advertised and refused")
        };
    }
    let seen = &result["structuredContent"][0];
    let sent = arguments.get("value").unwrap_or(&Value::Null);
    if !sent.is_null() && !means(sent, seen, is_open(advertised.schema(name))) {
        return fail("the body saw something else");
    }
    let seen = json!({ "value": seen });
    if !valid && !judge.is_valid(&seen) && !judge.is_valid(&without_nulls(seen)) {
        return fail("accepted and not advertised");
    }
    Ok(true)
}

#[test]
fn every_type_accepts_what_its_schema_accepts_and_no_more() {
    let advertised = Advertised::new();
    for name in NAMES {
        let schema = advertised.schema(name);
        let judge = jsonschema::validator_for(schema).unwrap();
        let mut runner = TestRunner::new(Config {
            failure_persistence: None,
            ..Config::default()
        });
        let (accepted, refused) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        let outcome = runner.run(&near(schema, schema, 0), |arguments| {
            let count = if check(&advertised, &judge, name, &arguments)? {
                &accepted
            } else {
                &refused
            };
            count.set(count.get() + 1);
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{error}\n{schema}");
        }
        assert!(accepted.get() > 0, "{name} accepts nothing");
        assert!(refused.get() > 0, "{name} refuses nothing");
    }
}
