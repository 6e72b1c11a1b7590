use serde_json::{Value, json};

use crate::protocol::JsonObject;
use crate::text::truncate;

/// The words that mark a name as secret, in lower case without separators.
const SECRET_NAME_PARTS: [&str; 10] = [
    "apikey",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "secret",
    "token",
];

/// The text that replaces a secret.
pub(crate) const REDACTED: &str = "[redacted]";
const MAX_NAME_LENGTH: usize = 128;
const MAX_TEXT_LENGTH: usize = 256;
const MAX_MEMBERS: usize = 64;

/// The rules that recognize secrets by the names of arguments and members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redactor {
    custom_parts: Vec<String>,
}

impl Redactor {
    /// Adds a rule: names that contain `part` are also secret.
    pub(super) fn add(&mut self, part: &str) {
        let part = normalized(part);
        if !part.is_empty() {
            self.custom_parts.push(part);
        }
    }

    /// Whether a value with this name is secret.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let name = normalized(name);
        let custom = self.custom_parts.iter().map(String::as_str);
        SECRET_NAME_PARTS
            .into_iter()
            .chain(custom)
            .any(|part| name.contains(part))
    }

    /// Redacts secrets at any depth. `secrets` are the names of the tool's secret arguments.
    pub(super) fn redact(&self, arguments: JsonObject, secrets: &[&str]) -> Value {
        let redacted = arguments.into_iter().map(|(name, value)| {
            let value = match secrets.contains(&name.as_str()) || self.is_secret(&name) {
                true => json!(REDACTED),
                false => self.redact_value(value),
            };
            (name, value)
        });
        Value::Object(redacted.collect())
    }

    fn redact_value(&self, value: Value) -> Value {
        match value {
            Value::Object(members) => self.redact(members, &[]),
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.redact_value(item))
                .collect(),
            Value::String(text) => Value::String(self.redact_nested_json(text)),
            other => other,
        }
    }

    /// Redacts secrets in a string that contains a JSON object or array.
    fn redact_nested_json(&self, text: String) -> String {
        if !text.trim_start().starts_with(['{', '[']) {
            return text;
        }
        match serde_json::from_str::<Value>(&text) {
            Ok(nested) => {
                let redacted = self.redact_value(nested.clone());
                match redacted == nested {
                    true => text,
                    false => redacted.to_string(),
                }
            }
            Err(_) => text,
        }
    }

    /// Redacts secrets, and truncates long texts and lists.
    pub(super) fn redact_and_truncate(&self, arguments: &JsonObject, secrets: &[&str]) -> Value {
        truncate_value(self.redact(arguments.clone(), secrets))
    }
}

/// Truncates long texts and lists in a value.
fn truncate_value(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().take(MAX_MEMBERS);
            let kept = kept.map(|(name, it)| {
                (
                    truncate(&name, MAX_NAME_LENGTH).into_owned(),
                    truncate_value(it),
                )
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items
            .into_iter()
            .take(MAX_MEMBERS)
            .map(truncate_value)
            .collect(),
        Value::String(text) => json!(truncate(&text, MAX_TEXT_LENGTH)),
        other => other,
    }
}

/// Returns the sorted names of the arguments.
pub(super) fn argument_names(arguments: &JsonObject) -> Value {
    let names = arguments.keys().take(MAX_MEMBERS);
    names.map(|name| truncate(name, MAX_NAME_LENGTH)).collect()
}

/// Normalizes a name. The normalized forms of `api_key`, `API-Key` and `apiKey` are equal.
fn normalized(name: &str) -> String {
    let characters = name.chars().filter(|character| character.is_alphanumeric());
    characters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: Value, expected: &Value) {
        let mut redactor = Redactor::default();
        redactor.add("IBAN");
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        assert_eq!(
            redactor.redact_and_truncate(&arguments, &["kept"]),
            *expected
        );
    }

    #[test]
    fn names_match_in_any_case_and_by_a_part() {
        for name in [
            "password",
            "PASSWORD",
            "userPassword",
            "api_key",
            "apiKey",
            "API-KEY",
            "x_auth_token",
            "Set-Cookie",
            "clientSecret",
            "iban",
            "senderIban",
            "kept",
        ] {
            check(json!({ name: "planted" }), &json!({ name: REDACTED }));
        }
    }

    #[test]
    fn everything_below_a_secret_name_is_secret() {
        check(
            json!({ "secrets": { "a": "planted" }, "tokens": ["planted", 7] }),
            &json!({ "secrets": REDACTED, "tokens": REDACTED }),
        );
    }

    #[test]
    fn secrets_in_json_text_are_found() {
        check(
            json!({ "config": r#"{"password":"planted","a":[{"token":"planted"}]}"# }),
            &json!({ "config": r#"{"a":[{"token":"[redacted]"}],"password":"[redacted]"}"# }),
        );
        let nested = json!({ "inner": r#"{"password":"planted"}"# }).to_string();
        let redacted = json!({ "inner": r#"{"password":"[redacted]"}"# }).to_string();
        check(json!({ "config": nested }), &json!({ "config": redacted }));
        check(
            json!({ "config": "{ \"a\": 1 }" }),
            &json!({ "config": "{ \"a\": 1 }" }),
        );
    }

    #[test]
    fn secrets_are_found_at_any_depth() {
        check(
            json!({ "a": [{ "b": { "password": "planted", "c": 1 } }] }),
            &json!({ "a": [{ "b": { "password": REDACTED, "c": 1 } }] }),
        );
    }

    #[test]
    fn other_values_are_kept_and_truncated() {
        check(
            json!({ "path": "notes/1", "keep": [1, null, true] }),
            &json!({ "path": "notes/1", "keep": [1, null, true] }),
        );
        let long = "a".repeat(MAX_TEXT_LENGTH + 1);
        let short = "a".repeat(MAX_TEXT_LENGTH - 1) + "…";
        check(json!({ "text": long }), &json!({ "text": short }));
    }
}
