use serde_json::{Number, Value};

use super::redact::HIDDEN;

/// The values of a call that nothing may show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The texts in the arguments of those names, at any depth.
    pub(crate) fn of(arguments: Option<&str>, names: &[&str]) -> Self {
        let Some(Ok(Value::Object(mut arguments))) = arguments.map(serde_json::from_str) else {
            return Self::default();
        };
        let secrets = names.iter().filter_map(|name| arguments.remove(*name));
        let mut left: Vec<Value> = secrets.collect();
        let mut texts = Vec::new();
        while let Some(value) = left.pop() {
            match value {
                Value::Object(members) => left.extend(members.into_iter().map(|(_, it)| it)),
                Value::Array(items) => left.extend(items),
                Value::String(text) if !text.is_empty() => {
                    left.extend(within(&text));
                    // As it is, and as JSON and debug output write it.
                    let quoted = Value::from(text.as_str()).to_string();
                    texts.push(quoted[1..quoted.len() - 1].to_owned());
                    texts.push(text);
                }
                Value::Number(number) => texts.extend(written(&number)),
                _ => {}
            }
        }
        // The longest first, so that none is left over from which one is a part of.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        texts.dedup();
        Self(texts)
    }

    /// The text with every secret taken out, whoever put it in.
    pub(crate) fn hidden(&self, text: &str) -> String {
        let hide = |text: String, secret: &String| text.replace(secret, HIDDEN);
        self.0.iter().fold(text.to_owned(), hide)
    }

    /// Whether a text is one of them.
    #[cfg(feature = "client-log")]
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.0.iter().any(|secret| secret == text)
    }
}

/// What a text holds that repair may take it for: a list, an object, a number.
fn within(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.is_array() || value.is_object() || value.is_number()).then_some(value)
}

/// A number as it was sent, and as a whole number of the body's is written.
fn written(number: &Number) -> impl Iterator<Item = String> {
    let whole = number.as_f64().filter(|float| float.fract() == 0.0);
    let whole = whole.map(|float| format!("{float:.0}"));
    [number.to_string()].into_iter().chain(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, said: &str, expected: &str) {
        let arguments = format!(r#"{{ "pin": {value}, "path": "a" }}"#);
        let secrets = Secrets::of(Some(&arguments), &["pin"]);
        assert_eq!(secrets.hidden(said), expected);
    }

    #[test]
    fn a_secret_is_hidden_in_every_form_that_a_body_may_have_it() {
        check(r#""planted""#, "no planted, a", "no [redacted], a");
        check(r#""pl\n""#, r"no pl\n", "no [redacted]");
        check(
            r#"["one", { "a": "two" }]"#,
            "two one",
            "[redacted] [redacted]",
        );
        check(r#""[\"one\"]""#, "one", "[redacted]");
        check("1234", "1234", "[redacted]");
        check("1234.0", "1234", "[redacted]");
        check(r#""1234.0""#, "1234", "[redacted]");
        check(r#"["ab", "abcd"]"#, "abcd", "[redacted]");
    }
}
