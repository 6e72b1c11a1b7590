//! Checks forms that a handler defines with a custom schema.

use serde_json::Value;

use super::{COMMON_KEYWORDS, FORMATS, LIST_KEYWORDS, NUMBER_KEYWORDS, STRING_KEYWORDS};
use crate::schema::{Keywords, check};

/// Returns the reason why a schema is not a valid form (specification, *Elicitation*, *Requested
/// schema*). Returns `None` for a valid form.
pub(crate) fn form_schema_error(form: &Value) -> Option<String> {
    let Value::Object(keywords) = form else {
        return Some("a form is a schema that is an object".to_owned());
    };
    if let Some(keyword) = unknown_keyword(keywords, &["$schema", "type", "properties", "required"])
    {
        return Some(format!("a form has no `{keyword}`"));
    }
    let (Some(Value::Object(fields)), Some("object")) =
        (keywords.get("properties"), string_value(keywords, "type"))
    else {
        return Some("a form has the `type` `object` and has `properties`".to_owned());
    };
    if !keywords
        .get("required")
        .is_none_or(|it| are_field_names(it, fields))
    {
        return Some("`required` of a form lists the names of its fields".to_owned());
    }
    let problem = |(name, field): (&String, &Value)| {
        let problem = field
            .as_object()
            .map_or(Some(FIELD_TYPES.to_owned()), field_error);
        problem.map(|problem| format!("its field `{name}`: {problem}"))
    };
    fields.iter().find_map(problem)
}

/// Returns the first reason why the content of a response does not match the form, if there is one.
pub(crate) fn form_content_error(form: &Value, content: &Value) -> Option<String> {
    check(form, content).first().map(super::violation_message)
}

const FIELD_TYPES: &str = "a field is a string, number, integer, boolean or list of choices";

fn field_error(field: &Keywords) -> Option<String> {
    let choices: &[&str] = match string_value(field, "type") {
        Some("string") if field.contains_key("oneOf") => &["oneOf"],
        Some("string") if field.contains_key("enum") => &["enum", "enumNames"],
        Some("string") => &STRING_KEYWORDS,
        Some("number" | "integer") => &NUMBER_KEYWORDS,
        Some("boolean") => &[],
        Some("array") => &[LIST_KEYWORDS[0], LIST_KEYWORDS[1], "items"],
        _ => return Some(FIELD_TYPES.to_owned()),
    };
    let allowed = [&["type"], &COMMON_KEYWORDS[..], choices].concat();
    if let Some(keyword) = unknown_keyword(field, &allowed) {
        return Some(format!("a field of this type has no `{keyword}`"));
    }
    let format = field.get("format");
    let choosable = match (field.get("enum"), field.get("oneOf"), field.get("items")) {
        (Some(texts), ..) => are_strings(texts),
        (_, Some(titled), _) => are_titled_values(titled),
        (_, _, Some(Value::Object(items))) => match items.get("anyOf") {
            Some(titled) => items.len() == 1 && are_titled_values(titled),
            None => {
                string_value(items, "type") == Some("string")
                    && items.get("enum").is_some_and(are_strings)
            }
        },
        _ => string_value(field, "type") != Some("array"),
    };
    if !choosable {
        return Some("its choices are strings, or objects with `const` and `title`".to_owned());
    }
    let known = |format: &Value| format.as_str().is_some_and(|it| FORMATS.contains(&it));
    let unknown = !format.is_none_or(known);
    unknown.then(|| format!("its `format` is one of {}", FORMATS.join(", ")))
}

fn string_value<'a>(keywords: &'a Keywords, name: &str) -> Option<&'a str> {
    keywords.get(name)?.as_str()
}

fn unknown_keyword<'a>(keywords: &'a Keywords, allowed: &[&str]) -> Option<&'a String> {
    keywords
        .keys()
        .find(|name| !allowed.contains(&name.as_str()))
}

fn are_field_names(required: &Value, fields: &Keywords) -> bool {
    let known = |name: &Value| name.as_str().is_some_and(|name| fields.contains_key(name));
    required
        .as_array()
        .is_some_and(|names| names.iter().all(known))
}

fn are_strings(choices: &Value) -> bool {
    choices
        .as_array()
        .is_some_and(|choices| choices.iter().all(Value::is_string))
}

fn are_titled_values(choices: &Value) -> bool {
    let titled = |choice: &Value| choice["const"].is_string() && choice["title"].is_string();
    choices
        .as_array()
        .is_some_and(|choices| choices.iter().all(titled))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(field: Value) -> Value {
        json!({ "type": "object", "properties": { "a": field } })
    }

    #[test]
    fn every_type_of_field_is_accepted() {
        let titled = json!([{ "const": "x", "title": "X" }]);
        for field in [
            json!({ "type": "string", "title": "A", "format": "email", "maxLength": 3 }),
            json!({ "type": "integer", "minimum": 1, "default": 2 }),
            json!({ "type": "number", "description": "A number." }),
            json!({ "type": "boolean", "default": true }),
            json!({ "type": "string", "enum": ["x"], "enumNames": ["X"] }),
            json!({ "type": "string", "oneOf": titled }),
            json!({ "type": "array", "items": { "type": "string", "enum": ["x"] }, "minItems": 1 }),
            json!({ "type": "array", "items": { "anyOf": titled } }),
        ] {
            assert_eq!(form_schema_error(&form(field.clone())), None, "{field}");
        }
    }

    #[test]
    fn an_invalid_form_is_rejected_with_the_reason() {
        let check = |form: Value, expected: &str| {
            let found = form_schema_error(&form).unwrap_or_default();
            assert!(found.contains(expected), "{form}: {found}");
        };
        check(json!([]), "a form is a schema");
        check(json!({ "type": "object" }), "has `properties`");
        check(
            json!({ "type": "object", "properties": {}, "anyOf": [] }),
            "`anyOf`",
        );
        check(
            json!({ "type": "object", "properties": {}, "required": ["b"] }),
            "`required`",
        );
        check(
            form(json!({ "type": "object" })),
            "its field `a`: a field is",
        );
        check(
            form(json!({ "type": "string", "pattern": "x" })),
            "`pattern`",
        );
        check(
            form(json!({ "type": "string", "format": "uuid" })),
            "`format`",
        );
        check(
            form(json!({ "type": "string", "enum": [1] })),
            "its choices",
        );
        check(
            form(json!({ "type": "string", "oneOf": [{ "const": "x" }] })),
            "its choices",
        );
        check(form(json!({ "type": "array" })), "its choices");
        check(
            form(json!({ "type": "array", "items": { "type": "string" } })),
            "its choices",
        );
        check(form(json!(true)), "a field is");
    }
}
