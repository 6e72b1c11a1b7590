use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::redact::REDACTED;
use crate::jsonrpc::parse_lossy;

/// The secret values of a call. If there are more than [`MAX_SECRETS`] values, every text is
/// redacted completely.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets(BTreeSet<String>);

/// The maximum length of a truncated text in an error message, in characters.
const MAX_TRUNCATED_LENGTH: usize = 256;
/// The maximum number of secret values. Every text is searched for each of them, and without a
/// limit a client could send very many.
const MAX_SECRETS: usize = 128;

impl Secrets {
    /// Collects the values of the arguments with these names, including all nested values.
    ///
    /// `is_known_name` returns whether a key is a property name in the schema of the tool.
    pub(crate) fn from_arguments(
        arguments: Option<&str>,
        names: &[&str],
        is_known_name: impl Fn(&str) -> bool,
    ) -> Self {
        let Some(mut arguments) = arguments.and_then(parse_lossy) else {
            return Self::default();
        };
        let secrets = names.iter().filter_map(|name| arguments.remove(*name));
        let mut remaining: Vec<Value> = secrets.collect();
        let mut texts = BTreeSet::new();
        while let Some(value) = remaining.pop() {
            if texts.len() > MAX_SECRETS {
                break;
            }
            match value {
                Value::Object(members) => {
                    for (key, value) in members {
                        // A property name of the schema is not secret, but the key of a map can be.
                        if !key.is_empty() && !is_known_name(&key) {
                            texts.insert(key);
                        }
                        remaining.push(value);
                    }
                }
                Value::Array(items) => remaining.extend(items),
                Value::String(text) if !text.is_empty() => {
                    remaining.extend(nested_value(&text));
                    // Add the text itself and its escaped form, which JSON and debug output
                    // contain.
                    let quoted = Value::from(text.as_str()).to_string();
                    texts.insert(quoted[1..quoted.len() - 1].to_owned());
                    texts.insert(text);
                }
                Value::Number(number) => texts.extend(number_texts(&number)),
                _ => {}
            }
        }
        Self(texts)
    }

    /// Replaces every secret in the text with `[redacted]`.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.is_too_many() {
            return REDACTED.to_owned();
        }
        if self.0.is_empty() {
            return text.to_owned();
        }
        // Mark all secrets before replacing them. Otherwise a part of an overlapping secret could
        // remain, or a secret could match the replacement text.
        let mut marks = vec![false; text.len()];
        for secret in &self.0 {
            for (start, found) in text.match_indices(secret.as_str()) {
                marks[start..start + found.len()].fill(true);
            }
            for (end, _) in text.match_indices('…').take(MAX_SECRETS) {
                marks[end - truncated_length(secret, &text[..end])..end].fill(true);
            }
        }
        let mut shown = String::with_capacity(text.len());
        let mut hiding = false;
        for (character, marked) in text.char_indices().map(|(at, it)| (it, marks[at])) {
            match marked {
                true if !hiding => shown.push_str(REDACTED),
                true => {}
                false => shown.push(character),
            }
            hiding = marked;
        }
        shown
    }

    /// Whether the text is a secret value.
    #[cfg(feature = "client-log")]
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.is_too_many() || self.0.contains(text)
    }

    /// Whether the call has no secret values.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_too_many(&self) -> bool {
        self.0.len() > MAX_SECRETS
    }
}

/// Returns the length in bytes of a truncated secret at the end of the text.
fn truncated_length(secret: &str, text: &str) -> usize {
    let starts = secret.char_indices().take(MAX_TRUNCATED_LENGTH);
    let ends = starts.map(|(at, it)| at + it.len_utf8());
    let cut = ends.filter(|end| text.ends_with(&secret[..*end]));
    cut.max().unwrap_or_default()
}

/// Parses a string that contains a JSON array, object or number. Coercion may convert such a string
/// to the value that it contains.
fn nested_value(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.is_array() || value.is_object() || value.is_number()).then_some(value)
}

/// Returns the texts of a number: the original text, and the text as an integer if the number is
/// whole.
fn number_texts(number: &Number) -> impl Iterator<Item = String> {
    let whole = number.as_f64().filter(|float| float.fract() == 0.0);
    let whole = whole.map(|float| format!("{float:.0}"));
    [number.to_string()].into_iter().chain(whole)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: &str, text: &str, expected: &str) {
        let arguments = format!(r#"{{ "pin": {value}, "path": "a" }}"#);
        let secrets = Secrets::from_arguments(Some(&arguments), &["pin"], |_| false);
        assert_eq!(secrets.redact(text), expected);
    }

    #[test]
    fn a_secret_is_redacted_in_every_form_that_a_handler_may_have_it() {
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

    #[test]
    fn the_beginning_of_a_truncated_secret_is_redacted() {
        let long = "é1".repeat(50);
        let value = Value::from(long.as_str()).to_string();
        let cut: String = long.chars().take(59).collect();
        check(
            &value,
            &format!("the string \"{cut}…"),
            "the string \"[redacted]…",
        );
        check(
            &value,
            &format!("{long}, {cut}x"),
            &format!("[redacted], {cut}x"),
        );
        check(
            r#""correct-horse""#,
            "the object {\"p\":\"corr…",
            "the object {\"p\":\"[redacted]…",
        );
        check(
            r#""0000000000000000042""#,
            "00000000000000000042",
            "0[redacted]",
        );
    }

    #[test]
    fn the_replacement_text_is_not_searched_for_secrets() {
        let parts = (1..REDACTED.len()).map(|end| &REDACTED[..end]);
        let parts = serde_json::to_string(&parts.collect::<Vec<_>>()).unwrap();
        check(&parts, "[re] x[", "[redacted]] x[redacted]");
        // The result is the same for a text that coercion parses as an array.
        check(&Value::from(parts).to_string(), "[re] x", "[redacted]] x");
    }

    #[test]
    fn overlapping_secrets_are_redacted_together() {
        check(r#"["abc", "cde"]"#, "abcdef", "[redacted]f");
    }

    #[test]
    fn too_many_secrets_redact_the_whole_text() {
        let repeated = |count: usize| serde_json::to_string(&vec![json!("é"); count]).unwrap();
        check(&repeated(1000), "an é", "an [redacted]");
        let numbers: Vec<usize> = (1000..1000 + MAX_SECRETS).collect();
        check(&format!("{numbers:?}"), "a", "a");
        let numbers: Vec<usize> = (1000..=1000 + MAX_SECRETS).collect();
        check(&format!("{numbers:?}"), "a", "[redacted]");
    }
}
