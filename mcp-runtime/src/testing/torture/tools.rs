use serde_json::{Value, json};

use super::TortureRow;
use crate::schema::example;
use crate::testing::probe::{Asked, Probe};

/// What every tool is asked.
pub(super) fn ask(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let listed = probe.request("the tools", "tools/list", json!({}));
    let tools = listed.pointer("/result/tools").and_then(Value::as_array);
    let tools = tools.cloned().unwrap_or_default();
    let mut rows = Vec::new();
    for tool in &tools {
        let mut tool = Tool {
            name: &tool["name"],
            schema: &tool["inputSchema"],
            probe: &mut *probe,
        };
        rows.extend(tool.shape());
        rows.extend(tool.misspelt(&tools));
        rows.extend(tool.refused());
        rows.extend(tool.wrong_values());
        if let Some(arguments) = example(tool.schema, &json!({})) {
            rows.extend(tool.taken(&arguments));
            rows.extend(tool.repaired(&arguments));
        }
    }
    rows
}

struct Tool<'a, 'p> {
    name: &'a Value,
    schema: &'a Value,
    probe: &'a mut Probe<'p>,
}

impl<'a> Tool<'a, '_> {
    fn of(&self, question: &str) -> String {
        format!("{question} of {}", self.name)
    }

    /// Tries arguments; no body runs.
    fn call(&mut self, question: &str, arguments: Option<Value>) -> Asked {
        let mut params = json!({ "name": self.name });
        if let Some(arguments) = arguments {
            params["arguments"] = arguments;
        }
        let question = self.of(question);
        self.probe.dry_run(&question, "tools/call", params)
    }

    fn properties(&self) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
        let properties = self.schema["properties"].as_object();
        properties.into_iter().flatten()
    }

    fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let required = self.schema["required"].as_array();
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    /// What clients build forms and prompts from.
    fn shape(&self) -> Vec<TortureRow> {
        let plain = self.schema["type"] == "object" && self.schema["properties"].is_object();
        let known = |name: &str| self.properties().any(|(known, _)| known == name);
        let shape = |question: &str, good, wanted| {
            self.probe
                .seen(&self.of(question), self.schema, good, wanted)
        };
        vec![
            shape("the schema", plain, "an object with `properties`"),
            shape(
                "what is required",
                self.required().all(known),
                "only what it has",
            ),
            shape(
                "the types",
                !has_nulls(self.schema),
                "one type each, and no `null`",
            ),
        ]
    }

    /// A name that is almost right is answered with the right one.
    fn misspelt(&mut self, all: &[Value]) -> Option<TortureRow> {
        let name = self.name.as_str().filter(|name| name.len() >= 4)?;
        let wrong = format!("{name}x");
        if all.iter().any(|tool| tool["name"] == wrong) {
            return None;
        }
        let question = self.of("a misspelt name");
        let call = json!({ "name": wrong, "arguments": {} });
        let asked = self.probe.request(&question, "tools/call", call);
        Some(asked.error(-32602).telling(name))
    }

    /// Arguments that no tool takes.
    fn refused(&mut self) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for arguments in [json!([1]), json!("text"), json!(7), json!(true)] {
            rows.push(
                self.call("arguments that are no object", Some(arguments))
                    .refused(),
            );
        }
        if self.schema["additionalProperties"] == false {
            let unknown = json!({ "no such argument": 1 });
            let asked = self.call("an unknown argument", Some(unknown));
            rows.push(asked.refused().telling("no such argument"));
            if let Some((name, _)) = self.properties().next() {
                let asked = self.call(
                    "a misspelt argument",
                    Some(json!({ format!("{name}x"): 1 })),
                );
                rows.push(asked.refused().telling(name));
            }
        }
        if let Some(missing) = self.required().next() {
            for arguments in [None, Some(json!(null)), Some(json!({}))] {
                let asked = self.call("no arguments", arguments);
                rows.push(asked.refused().telling(missing));
            }
            let deep = "[".repeat(100) + &"]".repeat(100);
            let deep: Value = serde_json::from_str(&deep).unwrap_or_default();
            rows.push(
                self.call("a very deep argument", Some(json!({ missing: deep })))
                    .refused(),
            );
        }
        rows
    }

    /// Values of another type or beyond the choices; the refusal names the argument.
    fn wrong_values(&mut self) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for (name, schema) in self.properties() {
            let kind = schema["type"].as_str().unwrap_or_default();
            if matches!(kind, "integer" | "number" | "boolean" | "string") {
                let wrong = json!({ name: { "no": "such" } });
                let asked = self.call("a value of another type", Some(wrong));
                rows.push(asked.refused().telling(name));
            }
            let choices = schema["enum"].as_array();
            if let Some(choice) = choices.and_then(|choices| choices.first()?.as_str()) {
                let wrong = json!({ name: "no such choice" });
                let asked = self.call("a choice that is none", Some(wrong));
                rows.push(asked.refused().telling(choice));
            }
        }
        rows
    }

    /// Arguments that fit, and the ways to leave them out.
    fn taken(&mut self, arguments: &Value) -> Vec<TortureRow> {
        let asked = self.call("arguments that fit", Some(arguments.clone()));
        let mut rows = vec![asked.not_run()];
        if self.required().next().is_none() {
            for arguments in [None, Some(json!(null)), Some(json!({}))] {
                rows.push(
                    self.call("no arguments where none are needed", arguments)
                        .not_run(),
                );
            }
        }
        for (name, _) in self.properties() {
            if !self.required().any(|required| required == name) {
                let null = with(arguments, name, Value::Null);
                rows.push(
                    self.call("`null` for what is optional", Some(null))
                        .not_run(),
                );
            }
        }
        rows
    }

    /// What models write for what they mean, where nothing is lost by taking it.
    fn repaired(&mut self, arguments: &Value) -> Vec<TortureRow> {
        let mut rows = Vec::new();
        for (name, schema) in self.properties() {
            let Some(value) = arguments.get(name) else {
                continue;
            };
            let (integer, number) = (value.as_i64(), value.is_number());
            let kind = schema["type"].as_str().unwrap_or_default();
            if number && matches!(kind, "integer" | "number") {
                let text = with(arguments, name, json!(value.to_string()));
                rows.push(self.call("a number as text", Some(text)).not_run());
            }
            if let Some(integer) = integer.filter(|it| kind == "integer" && it.abs() < 1 << 52) {
                let float = with(arguments, name, json!(integer as f64));
                rows.push(self.call("a whole number as 2.0", Some(float)).not_run());
            }
            if let Some(truth) = value.as_bool().filter(|_| kind == "boolean") {
                let text = with(arguments, name, json!(truth.to_string()));
                rows.push(self.call("a truth value as text", Some(text)).not_run());
            }
        }
        rows
    }
}

/// Whether a property may be `null` in so many words, which models take for a value.
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
