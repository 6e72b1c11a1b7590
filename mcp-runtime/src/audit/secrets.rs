use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::redact::HIDDEN;

/// The values of a call that nothing may show; past [`MOST`], nothing is shown at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets(BTreeSet<String>);

/// No text is shortened to more characters.
const LONGEST: usize = 256;
/// How many are looked for: the client chooses how many there are, and each is
/// looked for in the whole of every text.
const MOST: usize = 128;

impl Secrets {
    /// The texts in the arguments of those names, at any depth.
    pub(crate) fn of(arguments: Option<&str>, names: &[&str]) -> Self {
        let Some(Ok(Value::Object(mut arguments))) = arguments.map(serde_json::from_str) else {
            return Self::default();
        };
        let secrets = names.iter().filter_map(|name| arguments.remove(*name));
        let mut left: Vec<Value> = secrets.collect();
        let mut texts = BTreeSet::new();
        while let Some(value) = left.pop() {
            if texts.len() > MOST {
                break;
            }
            match value {
                Value::Object(members) => left.extend(members.into_iter().map(|(_, it)| it)),
                Value::Array(items) => left.extend(items),
                Value::String(text) if !text.is_empty() => {
                    left.extend(within(&text));
                    // As it is, and as JSON and debug output write it.
                    let quoted = Value::from(text.as_str()).to_string();
                    texts.insert(quoted[1..quoted.len() - 1].to_owned());
                    texts.insert(text);
                }
                Value::Number(number) => texts.extend(written(&number)),
                _ => {}
            }
        }
        Self(texts)
    }

    /// The text with every secret taken out, whoever put it in.
    pub(crate) fn hidden(&self, text: &str) -> String {
        if self.are_too_many() {
            return HIDDEN.to_owned();
        }
        if self.0.is_empty() {
            return text.to_owned();
        }
        // All are marked before any is taken out, so that none is left over from
        // which another is a part of, nor looked for in what stands in its place.
        let mut marks = vec![false; text.len()];
        for secret in &self.0 {
            for (start, found) in text.match_indices(secret.as_str()) {
                marks[start..start + found.len()].fill(true);
            }
            for (end, _) in text.match_indices('…').take(MOST) {
                marks[end - cut_off(secret, &text[..end])..end].fill(true);
            }
        }
        let mut shown = String::with_capacity(text.len());
        let mut hiding = false;
        for (character, marked) in text.char_indices().map(|(at, it)| (it, marks[at])) {
            match marked {
                true if !hiding => shown.push_str(HIDDEN),
                true => {}
                false => shown.push(character),
            }
            hiding = marked;
        }
        shown
    }

    /// Whether a text is one of them.
    #[cfg(feature = "client-log")]
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.are_too_many() || self.0.contains(text)
    }

    /// Whether there is nothing to hide.
    pub(crate) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    fn are_too_many(&self) -> bool {
        self.0.len() > MOST
    }
}

/// How much of a secret a text ends with: where it was shortened there, the
/// beginning is left.
fn cut_off(secret: &str, text: &str) -> usize {
    let starts = secret.char_indices().take(LONGEST);
    let ends = starts.map(|(at, it)| at + it.len_utf8());
    let cut = ends.filter(|end| text.ends_with(&secret[..*end]));
    cut.max().unwrap_or_default()
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
    use serde_json::json;

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

    #[test]
    fn the_beginning_of_a_secret_is_hidden_too() {
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
    fn what_stands_for_a_secret_is_not_searched_for_secrets() {
        let parts = (1..HIDDEN.len()).map(|end| &HIDDEN[..end]);
        let parts = serde_json::to_string(&parts.collect::<Vec<_>>()).unwrap();
        check(&parts, "[re] x[", "[redacted]] x[redacted]");
        // As a text that repair takes for a list, too.
        check(&Value::from(parts).to_string(), "[re] x", "[redacted]] x");
    }

    #[test]
    fn secrets_that_overlap_are_hidden_together() {
        check(r#"["abc", "cde"]"#, "abcdef", "[redacted]f");
    }

    #[test]
    fn too_many_secrets_hide_the_whole_text() {
        let most = |count: usize| serde_json::to_string(&vec![json!("é"); count]).unwrap();
        check(&most(1000), "an é", "an [redacted]");
        let numbers: Vec<usize> = (1000..1000 + MOST).collect();
        check(&format!("{numbers:?}"), "a", "a");
        let numbers: Vec<usize> = (1000..=1000 + MOST).collect();
        check(&format!("{numbers:?}"), "a", "[redacted]");
    }
}
