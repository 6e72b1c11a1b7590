use std::borrow::Cow;

/// The arguments of a call as an object, for who looks at them beside the body.
///
/// Some models send the object as text, and repair takes it for what it means:
/// whoever records it, asks about it or hides parts of it must see the same.
pub(super) fn legible(arguments: Option<&str>) -> Option<Cow<'_, str>> {
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
            assert_eq!(legible(Some(arguments)).as_deref(), expected);
        };
        check(r#" {"a":1}"#, Some(r#"{"a":1}"#));
        check(r#""{\"a\":1}""#, Some(r#"{"a":1}"#));
        check(r#""text""#, Some("text"));
        check("null", Some("null"));
    }
}
