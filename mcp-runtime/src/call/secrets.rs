use serde_json::Value;

use crate::audit::HIDDEN;

/// The values of one call that nothing may show.
#[derive(Debug, Default)]
pub(super) struct Secrets(pub(super) Vec<String>);

impl Secrets {
    /// The texts in the arguments of those names, at any depth.
    pub(super) fn of(arguments: Option<&str>, names: &[&str]) -> Self {
        Self(values(arguments, names))
    }

    /// The text with every secret of the call taken out, whoever put it in.
    pub(super) fn hide(&self, text: &str) -> String {
        let hide = |text: String, secret: &String| text.replace(secret, HIDDEN);
        self.0.iter().fold(text.to_owned(), hide)
    }
}

fn values(arguments: Option<&str>, names: &[&str]) -> Vec<String> {
    let Some(Ok(Value::Object(arguments))) = arguments.map(serde_json::from_str) else {
        return Vec::new();
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
    texts
}
