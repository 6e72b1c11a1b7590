use serde_json::{Value, json};

use crate::protocol::JsonObject;
use crate::text::shortened;

/// Parts of names whose values are never written, in lower case without separators.
const SECRET: [&str; 10] = [
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

/// What stands where a secret was.
pub(crate) const HIDDEN: &str = "[redacted]";
const LONGEST_NAME: usize = 128;
const LONGEST_TEXT: usize = 256;
const MOST_NAMES: usize = 64;

/// Knows which names hold secrets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redactor {
    own: Vec<String>,
}

impl Redactor {
    /// Takes names that contain `part` for secret too.
    pub(super) fn add(&mut self, part: &str) {
        let part = folded(part);
        if !part.is_empty() {
            self.own.push(part);
        }
    }

    /// Whether the value of that name is never written.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let name = folded(name);
        let own = self.own.iter().map(String::as_str);
        SECRET
            .into_iter()
            .chain(own)
            .any(|part| name.contains(part))
    }

    /// The arguments without secrets, at any depth; `secrets` are names that the tool keeps.
    pub(super) fn without_secrets(&self, arguments: JsonObject, secrets: &[&str]) -> Value {
        let kept = arguments.into_iter().map(|(name, value)| {
            let value = match secrets.contains(&name.as_str()) || self.is_secret(&name) {
                true => json!(HIDDEN),
                false => self.value(value),
            };
            (name, value)
        });
        Value::Object(kept.collect())
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::Object(members) => self.without_secrets(members, &[]),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            other => other,
        }
    }

    /// As [`without_secrets`](Self::without_secrets), no longer than a line may be.
    pub(super) fn shown(&self, arguments: &JsonObject, secrets: &[&str]) -> Value {
        short(self.without_secrets(arguments.clone(), secrets))
    }
}

/// Values with the beginnings of long texts and lists.
fn short(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().take(MOST_NAMES);
            let kept =
                kept.map(|(name, it)| (shortened(&name, LONGEST_NAME).into_owned(), short(it)));
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.into_iter().take(MOST_NAMES).map(short).collect(),
        Value::String(text) => json!(shortened(&text, LONGEST_TEXT)),
        other => other,
    }
}

/// The names alone, sorted.
pub(super) fn names(arguments: &JsonObject) -> Value {
    let names = arguments.keys().take(MOST_NAMES);
    names.map(|name| shortened(name, LONGEST_NAME)).collect()
}

/// `api_key`, `API-Key` and `apiKey` are one name.
fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
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
        assert_eq!(redactor.shown(&arguments, &["kept"]), *expected);
    }

    #[test]
    fn names_are_found_in_any_case_and_by_a_part() {
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
            check(json!({ name: "planted" }), &json!({ name: HIDDEN }));
        }
    }

    #[test]
    fn everything_below_a_secret_name_is_secret() {
        check(
            json!({ "secrets": { "a": "planted" }, "tokens": ["planted", 7] }),
            &json!({ "secrets": HIDDEN, "tokens": HIDDEN }),
        );
    }

    #[test]
    fn secrets_are_found_at_any_depth() {
        check(
            json!({ "a": [{ "b": { "password": "planted", "c": 1 } }] }),
            &json!({ "a": [{ "b": { "password": HIDDEN, "c": 1 } }] }),
        );
    }

    #[test]
    fn what_is_no_secret_stays_and_is_shortened() {
        check(
            json!({ "path": "notes/1", "keep": [1, null, true] }),
            &json!({ "path": "notes/1", "keep": [1, null, true] }),
        );
        let long = "a".repeat(LONGEST_TEXT + 1);
        let short = "a".repeat(LONGEST_TEXT - 1) + "…";
        check(json!({ "text": long }), &json!({ "text": short }));
    }
}
