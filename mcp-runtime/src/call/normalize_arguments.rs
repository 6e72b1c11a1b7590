use std::borrow::Cow;

/// Returns the arguments as the JSON text of an object.
///
/// Some models send the object inside a JSON string, which coercion parses for the handler. The
/// audit record, the confirmation message and the redaction must use the same object as the
/// handler.
pub(super) fn normalize_arguments(arguments: Option<&str>) -> Option<Cow<'_, str>> {
    let arguments = arguments?.trim_ascii();
    if !arguments.starts_with('"') {
        return Some(arguments.into());
    }
    let text: String = serde_json::from_str(arguments).ok()?;
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_in_a_text_is_an_object() {
        let check = |arguments: &str, expected: Option<&str>| {
            assert_eq!(normalize_arguments(Some(arguments)).as_deref(), expected);
        };
        check(r#" {"a":1}"#, Some(r#"{"a":1}"#));
        check(r#""{\"a\":1}""#, Some(r#"{"a":1}"#));
        check(r#""text""#, Some("text"));
        check("null", Some("null"));
    }
}
