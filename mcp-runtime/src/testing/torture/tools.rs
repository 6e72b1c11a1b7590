use serde_json::{Value, json};

use super::TortureRow;
use crate::schema::example;
use crate::testing::raw_client::{RawClient, RawResponse};

/// Checks the schema of every tool, and calls every tool with valid and invalid arguments.
pub(super) fn check(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let listed = raw_client.request("the tools", "tools/list", json!({}));
    let tools = listed.pointer("/result/tools").and_then(Value::as_array);
    let tools = tools.cloned().unwrap_or_default();
    let mut rows = Vec::new();
    for tool in &tools {
        let mut tool = ToolProbe {
            name: &tool["name"],
            schema: &tool["inputSchema"],
            raw_client: &mut *raw_client,
        };
        rows.extend(tool.check_schema());
        rows.extend(tool.misspelt_name(&tools));
        rows.extend(tool.invalid_arguments());
        rows.extend(tool.wrong_values());
        if let Some(arguments) = example(tool.schema, &json!({})) {
            rows.extend(tool.valid_arguments(&arguments));
            rows.extend(tool.coerced_values(&arguments));
        }
    }
    rows
}

struct ToolProbe<'a, 'p> {
    name: &'a Value,
    schema: &'a Value,
    raw_client: &'a mut RawClient<'p>,
}

impl<'a> ToolProbe<'a, '_> {
    fn case(&self, case: &str) -> String {
        format!("{case} of {}", self.name)
    }

    /// Calls the tool as a dry run.
    fn call(&mut self, case: &str, arguments: Option<Value>) -> RawResponse {
        let mut params = json!({ "name": self.name });
        if let Some(arguments) = arguments {
            params["arguments"] = arguments;
        }
        let case = self.case(case);
        self.raw_client.dry_run(&case, "tools/call", params)
    }

    fn properties(&self) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
        let properties = self.schema["properties"].as_object();
        properties.into_iter().flatten()
    }

    fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let required = self.schema["required"].as_array();
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Checks the parts of the schema that clients need.
    fn check_schema(&self) -> Vec<TortureRow> {
        let is_object = self.schema["type"] == "object" && self.schema["properties"].is_object();
        let is_property = |name: &str| self.properties().any(|(known, _)| known == name);
        let row = |case: &str, is_good, expected| {
            self.raw_client
                .row(&self.case(case), self.schema, is_good, expected)
        };
        vec![
            row("the schema", is_object, "an object with `properties`"),
            row(
                "the required properties",
                self.required().all(is_property),
                "only properties of the schema",
            ),
            row(
                "the types of the properties",
                !has_nulls(self.schema),
                "one type each, and no `null`",
            ),
        ]
    }

    /// Calls the tool with a misspelt name. The error must suggest the correct name.
    fn misspelt_name(&mut self, all: &[Value]) -> Option<TortureRow> {
        let name = self.name.as_str().filter(|name| name.len() >= 4)?;
        let misspelt = format!("{name}x");
        if all.iter().any(|tool| tool["name"] == misspelt) {
            return None;
        }
        let case = self.case("a misspelt name");
        let call = json!({ "name": misspelt, "arguments": {} });
        let response = self.raw_client.request(&case, "tools/call", call);
        Some(response.expect_error(-32602).naming(name))
    }

    /// Sends arguments that no tool accepts.
    fn invalid_arguments(&mut self) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for arguments in [json!([1]), json!("text"), json!(7), json!(true)] {
            rows.push(
                self.call("arguments that are not an object", Some(arguments))
                    .expect_rejection(),
            );
        }
        if self.schema["additionalProperties"] == false {
            let unknown = json!({ "no such argument": 1 });
            let response = self.call("an unknown argument", Some(unknown));
            rows.push(response.expect_rejection().naming("no such argument"));
            if let Some((name, _)) = self.properties().next() {
                let response = self.call(
                    "a misspelt argument",
                    Some(json!({ format!("{name}x"): 1 })),
                );
                rows.push(response.expect_rejection().naming(name));
            }
        }
        if let Some(missing) = self.required().next() {
            for arguments in [None, Some(json!(null)), Some(json!({}))] {
                let response = self.call("no arguments", arguments);
                rows.push(response.expect_rejection().naming(missing));
            }
            let deep = "[".repeat(100) + &"]".repeat(100);
            let deep: Value = serde_json::from_str(&deep).unwrap_or_default();
            rows.push(
                self.call("a deeply nested argument", Some(json!({ missing: deep })))
                    .expect_rejection(),
            );
        }
        rows
    }

    /// Sends values of a wrong type and unknown enum values. The error must contain the name of the
    /// argument.
    fn wrong_values(&mut self) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for (name, schema) in self.properties() {
            let json_type = schema["type"].as_str().unwrap_or_default();
            if matches!(json_type, "integer" | "number" | "boolean" | "string") {
                let wrong = json!({ name: { "no": "such" } });
                let response = self.call("a value of another type", Some(wrong));
                rows.push(response.expect_rejection().naming(name));
            }
            let values = schema["enum"].as_array();
            if let Some(value) = values.and_then(|values| values.first()?.as_str()) {
                let wrong = json!({ name: "no such value" });
                let response = self.call("an unknown enum value", Some(wrong));
                rows.push(response.expect_rejection().naming(value));
            }
        }
        rows
    }

    /// Calls the tool with valid arguments, and with missing or `null` optional arguments.
    fn valid_arguments(&mut self, arguments: &Value) -> Vec<TortureRow> {
        let response = self.call("valid arguments", Some(arguments.clone()));
        let mut rows = vec![response.expect_accepted()];
        if self.required().next().is_none() {
            for arguments in [None, Some(json!(null)), Some(json!({}))] {
                rows.push(
                    self.call("no arguments for a tool that requires none", arguments)
                        .expect_accepted(),
                );
            }
        }
        for (name, _) in self.properties() {
            if !self.required().any(|required| required == name) {
                let null = with(arguments, name, Value::Null);
                rows.push(
                    self.call("`null` for an optional argument", Some(null))
                        .expect_accepted(),
                );
            }
        }
        rows
    }

    /// Sends values as another JSON type that the server should coerce, as models often do.
    fn coerced_values(&mut self, arguments: &Value) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for (name, schema) in self.properties() {
            let Some(value) = arguments.get(name) else {
                continue;
            };
            let (integer, number) = (value.as_i64(), value.is_number());
            let json_type = schema["type"].as_str().unwrap_or_default();
            if number && matches!(json_type, "integer" | "number") {
                let text = with(arguments, name, json!(value.to_string()));
                rows.push(
                    self.call("a number as a string", Some(text))
                        .expect_accepted(),
                );
            }
            if let Some(integer) = integer.filter(|it| json_type == "integer" && it.abs() < 1 << 52)
            {
                let float = with(arguments, name, json!(integer as f64));
                rows.push(
                    self.call("an integer as 2.0", Some(float))
                        .expect_accepted(),
                );
            }
            if let Some(boolean) = value.as_bool().filter(|_| json_type == "boolean") {
                let text = with(arguments, name, json!(boolean.to_string()));
                rows.push(
                    self.call("a boolean as a string", Some(text))
                        .expect_accepted(),
                );
            }
        }
        rows
    }
}

/// Checks whether the schema of a property allows `null`. Models then send `null` as a value.
fn has_nulls(schema: &Value) -> bool {
    let is_null = |schema: &Value| schema["type"] == "null";
    let mut properties = schema["properties"].as_object().into_iter().flatten();
    properties.any(|(_, property)| {
        let branches = ["anyOf", "oneOf"].map(|keyword| property[keyword].as_array());
        let mut branches = branches.into_iter().flatten().flatten();
        property["type"].is_array() || branches.any(is_null) || is_null(property)
    })
}

fn with(arguments: &Value, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = value;
    arguments
}
