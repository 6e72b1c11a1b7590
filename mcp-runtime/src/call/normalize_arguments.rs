use std::borrow::Cow;

/// Returns the arguments as the text of an object, for use outside of the handler.
///
/// Some models send the object as a string, which coercion parses. The audit record, the
/// confirmation message and the redaction must see the same object.
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
