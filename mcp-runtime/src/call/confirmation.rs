use std::borrow::Cow;
use std::collections::BTreeMap;

use super::normalize_arguments::normalize_arguments;
use crate::argument::Adjustment;
use crate::audit::REDACTED;
use crate::jsonrpc::{Members, decode_string};
use crate::registry::DefinitionMeta;
use crate::seal::canonical_json;

/// The maximum length of an argument value that a confirmation message shows completely, in
/// characters.
const MAX_VALUE_LENGTH: usize = 200;
/// The number of characters that a confirmation message shows from the beginning of a longer value.
const HEAD_LENGTH: usize = 120;
/// The number of characters that a confirmation message shows from the end of a longer value.
const TAIL_LENGTH: usize = 60;

/// The arguments of a call as the client sent them, and the arguments that were clamped.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallArguments<'a> {
    pub(super) arguments: Option<&'a str>,
    pub(super) adjustments: &'a [Adjustment],
}

/// Returns the values that the handler receives as text: the values that the client has sent,
/// defaults, and clamped values. The user confirms a call with these values.
///
/// Numbers keep every digit. Otherwise two different calls could have the same text.
pub(super) fn effective_arguments(
    definition: &DefinitionMeta,
    call: CallArguments<'_>,
) -> BTreeMap<String, String> {
    let arguments = normalize_arguments(call.arguments).unwrap_or("{}".into());
    let sent = Members::of(&arguments).filter(|(_, value)| *value != "null");
    let mut values: BTreeMap<String, String> = sent
        .map(|(name, value)| (name.into_owned(), value_text(value)))
        .collect();
    for parameter in definition.arguments.parameters {
        if let Some(default) = parameter.default
            && !values.contains_key(parameter.name)
        {
            let default = value_text(&default.to_json().to_string());
            values.insert(parameter.name.to_owned(), default);
        }
    }
    for adjustment in call.adjustments {
        let value = value_text(&adjustment.to.to_string());
        values.insert(adjustment.name.to_owned(), value);
    }
    values
}

/// Returns the text of a JSON value. The text of a string has no quotes, and the text of any other
/// value is canonical JSON.
fn value_text(json: &str) -> String {
    match decode_string(json) {
        Some(text) => text.into_owned(),
        None => canonical_json(json),
    }
}

/// Replaces each `{name}` in the template with the value of the argument `name`. `{{` and `}}`
/// stand for single braces.
pub(super) fn render_message(
    template: &str,
    arguments: &BTreeMap<String, String>,
    secrets: &[&str],
) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        text.push_str(&rest[..brace]);
        rest = &rest[brace..];
        let name = rest.strip_prefix('{').and_then(|name| name.split_once('}'));
        match name {
            Some((name, after)) if !name.starts_with('{') => {
                text.push_str(&display_value(
                    name,
                    arguments.get(name).map(String::as_str),
                    secrets,
                ));
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

/// Writes a value on one line, because the user could mistake further lines for text of the server.
/// For a long value, only the beginning, the length and the end are shown.
fn display_value(name: &str, value: Option<&str>, secrets: &[&str]) -> String {
    if secrets.contains(&name) {
        return REDACTED.to_owned();
    }
    let text = value.unwrap_or("nothing");
    let length = text.chars().count();
    if length <= MAX_VALUE_LENGTH {
        return text.chars().map(display_character).collect();
    }
    let part = |characters: &str| -> String { characters.chars().map(display_character).collect() };
    let head = text.char_indices().nth(HEAD_LENGTH).map_or(0, |(at, _)| at);
    let tail = text
        .char_indices()
        .nth(length - TAIL_LENGTH)
        .map_or(0, |(at, _)| at);
    format!(
        "{}… ({length} characters) …{}",
        part(&text[..head]),
        part(&text[tail..])
    )
}

/// Escapes a character that is invisible or is white space other than a plain space.
fn display_character(character: char) -> Cow<'static, str> {
    let is_hidden = character.is_control()
        || (character.is_whitespace() && character != ' ')
        || is_invisible(character);
    match is_hidden {
        true => character.escape_default().to_string().into(),
        false => character.to_string().into(),
    }
}

/// Whether a character is invisible, is blank, or changes how its neighbors are displayed (Unicode,
/// general categories Cf, Zl, Zp, Co and the property `Default_Ignorable_Code_Point`).
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\u{f0000}'..='\u{10ffff}'
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(template: &str, arguments: &Value, expected: &str) {
        let arguments = arguments.as_object().unwrap();
        let texts = arguments
            .iter()
            .map(|(name, value)| (name.clone(), value_text(&value.to_string())))
            .collect();
        assert_eq!(render_message(template, &texts, &["pin"]), expected);
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
        for filler in [
            '\u{3164}',
            '\u{2800}',
            '\u{a0}',
            '\u{fe0f}',
            '\u{e0101}',
            '\u{34f}',
        ] {
            let arguments = json!({ "path": format!("a{filler}b") });
            check(
                "{path}",
                &arguments,
                &format!("a{}b", filler.escape_default()),
            );
        }
    }

    #[test]
    fn a_long_value_shows_its_end_and_its_length() {
        let long = "ä".repeat(MAX_VALUE_LENGTH) + "/etc/passwd";
        let shown = format!(
            "{}… (211 characters) …{}/etc/passwd",
            "ä".repeat(HEAD_LENGTH),
            "ä".repeat(TAIL_LENGTH - "/etc/passwd".len()),
        );
        check("{path}", &json!({ "path": long }), &shown);
        let whole = "ä".repeat(MAX_VALUE_LENGTH);
        check("{path}", &json!({ "path": whole }), &whole);
    }
}
