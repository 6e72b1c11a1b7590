use serde_json::Value;

use super::redact::HIDDEN;

/// The values of a call that nothing may show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The texts in the arguments of those names, at any depth.
    pub(crate) fn of(arguments: Option<&str>, names: &[&str]) -> Self {
        let Some(Ok(Value::Object(arguments))) = arguments.map(serde_json::from_str) else {
            return Self::default();
        };
        let mut left: Vec<_> = names
            .iter()
            .filter_map(|name| arguments.get(*name))
            .collect();
        let mut texts = Vec::new();
        while let Some(value) = left.pop() {
            match value {
                Value::Object(members) => left.extend(members.values()),
                Value::Array(items) => left.extend(items),
                Value::String(text) if !text.is_empty() => {
                    // As it is, and as JSON and debug output write it.
                    let quoted = value.to_string();
                    texts.push(quoted[1..quoted.len() - 1].to_owned());
                    texts.push(text.clone());
                }
                Value::Number(number) => texts.push(number.to_string()),
                _ => {}
            }
        }
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
