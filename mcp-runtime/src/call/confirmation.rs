use serde_json::Value;

use super::normalize_arguments::normalize_arguments;
use crate::argument::Adjustment;
use crate::audit::REDACTED;
use crate::protocol::JsonObject;
use crate::registry::DefinitionMeta;
use crate::text::truncate;

/// The maximum length of an argument value in a confirmation message, in characters.
const MAX_VALUE_LENGTH: usize = 200;

/// The arguments of a call as the client sent them, and the arguments that were clamped.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallArguments<'a> {
    pub(super) arguments: Option<&'a str>,
    pub(super) adjustments: &'a [Adjustment],
}

/// Returns the arguments that the handler receives, including defaults and clamped values. The user
/// has to see these values before consenting.
pub(super) fn effective_arguments(
    definition: &DefinitionMeta,
    call: CallArguments<'_>,
) -> JsonObject {
    let arguments = normalize_arguments(call.arguments);
    let arguments = arguments.and_then(|json| serde_json::from_str(&json).ok());
    let mut values: JsonObject = arguments.unwrap_or_default();
    for parameter in definition.arguments.parameters {
        let absent = values.get(parameter.name).is_none_or(Value::is_null);
        if let Some(default) = parameter.default.filter(|_| absent) {
            values.insert(parameter.name.to_owned(), default.to_json());
        }
    }
    for adjustment in call.adjustments {
        values.insert(adjustment.name.to_owned(), adjustment.to.clone());
    }
    values
}

/// Replaces each `{name}` in the template with the value of the argument `name`. `{{` and `}}`
/// stand for single braces.
pub(super) fn render_message(template: &str, arguments: &JsonObject, secrets: &[&str]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        text.push_str(&rest[..brace]);
        rest = &rest[brace..];
        let name = rest.strip_prefix('{').and_then(|name| name.split_once('}'));
        match name {
            Some((name, after)) if !name.starts_with('{') => {
                text.push_str(&display_value(name, arguments.get(name), secrets));
                rest = after;
            }
            _ => {
                text.push_str(&rest[..1]);
                let doubled = rest.starts_with("{{") || rest.starts_with("}}");
                rest = &rest[if doubled { 2 } else { 1 }..];
            }
        }
    }
    text + rest
}

/// Writes a value on one line and escapes invisible characters. Otherwise the user could mistake
/// the value for text of the server.
fn display_value(name: &str, value: Option<&Value>, secrets: &[&str]) -> String {
    if secrets.contains(&name) {
        return REDACTED.to_owned();
    }
    let text = match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let line = text.chars().flat_map(|character| {
        let hidden = character.is_control() || is_invisible(character);
        let escaped = hidden.then(|| character.escape_default());
        let plain = (!hidden).then_some(character);
        escaped.into_iter().flatten().chain(plain)
    });
    truncate(&line.collect::<String>(), MAX_VALUE_LENGTH).into_owned()
}

/// Whether a character is invisible or changes how its neighbors are displayed (Unicode, general
/// categories Cf, Zl and Zp).
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(template: &str, arguments: &Value, expected: &str) {
        let arguments = arguments.as_object().unwrap();
        assert_eq!(render_message(template, arguments, &["pin"]), expected);
    }

    #[test]
    fn names_stand_for_values() {
        let arguments = json!({ "path": "a/b", "count": 2, "all": true, "pin": "planted" });
        check("Delete {path}?", &arguments, "Delete a/b?");
        check("{count} of {all}{gone}", &arguments, "2 of truenothing");
        check("With {pin}?", &arguments, "With [redacted]?");
    }

    #[test]
    fn braces_can_be_written() {
        let arguments = json!({ "path": "{path}" });
        check("{{path}} {path}", &arguments, "{path} {path}");
        check("{", &arguments, "{");
        check("a } b {path", &arguments, "a } b {path");
        check("{}", &arguments, "nothing");
    }

    #[test]
    fn a_value_stays_on_its_line_and_short() {
        let arguments = json!({ "path": "a\nApproved: yes\u{1b}[0m" });
        check(
            "Delete {path}?",
            &arguments,
            "Delete a\\nApproved: yes\\u{1b}[0m?",
        );
        let hidden = json!({ "path": "a\u{202e}b\u{200b}" });
        check("{path}", &hidden, "a\\u{202e}b\\u{200b}");
        let long = json!({ "path": "ä".repeat(MAX_VALUE_LENGTH + 1) });
        let short = "ä".repeat(MAX_VALUE_LENGTH - 1) + "…";
        check("{path}", &long, &short);
    }
}
