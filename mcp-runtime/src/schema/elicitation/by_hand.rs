use serde_json::Value;

use super::{ANY, FORMATS, LIST, NUMBER, STRING};
use crate::schema::{Keywords, check};

/// What is wrong with a form that was written by hand, if anything
/// (specification, *Elicitation*, *Requested schema*).
pub(crate) fn misfit(form: &Value) -> Option<String> {
    let Value::Object(keywords) = form else {
        return Some("a form is a schema, an object".to_owned());
    };
    if let Some(other) = other(keywords, &["$schema", "type", "properties", "required"]) {
        return Some(format!("a form has no `{other}`"));
    }
    let (Some(Value::Object(fields)), Some("object")) =
        (keywords.get("properties"), word(keywords, "type"))
    else {
        return Some("a form is of `type` `object` and has `properties`".to_owned());
    };
    if !keywords.get("required").is_none_or(|it| names(it, fields)) {
        return Some("`required` of a form lists names of its fields".to_owned());
    }
    let problem = |(name, field): (&String, &Value)| {
        let problem = field.as_object().map_or(Some(KINDS.to_owned()), of_field);
        problem.map(|problem| format!("its field `{name}`: {problem}"))
    };
    fields.iter().find_map(problem)
}

/// What is wrong with what was filled in, if anything.
pub(crate) fn answer_misfit(form: &Value, content: &Value) -> Option<String> {
    check(form, content).first().map(super::told)
}

const KINDS: &str = "a field is a string, number, integer, boolean, or a list of choices";

fn of_field(field: &Keywords) -> Option<String> {
    let choices: &[&str] = match word(field, "type") {
        Some("string") if field.contains_key("oneOf") => &["oneOf"],
        Some("string") if field.contains_key("enum") => &["enum", "enumNames"],
        Some("string") => &STRING,
        Some("number" | "integer") => &NUMBER,
        Some("boolean") => &[],
        Some("array") => &[LIST[0], LIST[1], "items"],
        _ => return Some(KINDS.to_owned()),
    };
    let allowed = [&["type"], &ANY[..], choices].concat();
    if let Some(other) = other(field, &allowed) {
        return Some(format!("such a field has no `{other}`"));
    }
    let format = field.get("format");
    let choosable = match (field.get("enum"), field.get("oneOf"), field.get("items")) {
        (Some(texts), ..) => are_texts(texts),
        (_, Some(titled), _) => are_titled(titled),
        (_, _, Some(Value::Object(items))) => match items.get("anyOf") {
            Some(titled) => items.len() == 1 && are_titled(titled),
            None => {
                word(items, "type") == Some("string") && items.get("enum").is_some_and(are_texts)
            }
        },
        _ => word(field, "type") != Some("array"),
    };
    if !choosable {
        return Some("its choices are strings, or each a `const` with a `title`".to_owned());
    }
    let known = |format: &Value| format.as_str().is_some_and(|it| FORMATS.contains(&it));
    let unknown = !format.is_none_or(known);
    unknown.then(|| format!("its `format` is one of {}", FORMATS.join(", ")))
}

fn word<'a>(keywords: &'a Keywords, name: &str) -> Option<&'a str> {
    keywords.get(name)?.as_str()
}

fn other<'a>(keywords: &'a Keywords, allowed: &[&str]) -> Option<&'a String> {
    keywords
        .keys()
        .find(|name| !allowed.contains(&name.as_str()))
}

fn names(required: &Value, fields: &Keywords) -> bool {
    let known = |name: &Value| name.as_str().is_some_and(|name| fields.contains_key(name));
    required
        .as_array()
        .is_some_and(|names| names.iter().all(known))
}

fn are_texts(choices: &Value) -> bool {
    choices
        .as_array()
        .is_some_and(|choices| choices.iter().all(Value::is_string))
}

fn are_titled(choices: &Value) -> bool {
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
    fn every_kind_of_field_is_one() {
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
            assert_eq!(misfit(&form(field.clone())), None, "{field}");
        }
    }

    #[test]
    fn what_no_form_has_is_named() {
        let check = |form: Value, expected: &str| {
            let found = misfit(&form).unwrap_or_default();
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
