//! Describes the keywords that limit a value, with a text that ends a noun phrase.

use super::Keywords;
use crate::schema::format::string_format;
use serde_json::Value;

/// Describes the bounds of a number, such as " from 1 to 9". Bounds of an integer width are
/// included only if `show_widths` is set.
pub(super) fn number_limits(keywords: &Keywords, show_widths: bool) -> String {
    let bound = |keyword: &str| {
        let bound = keywords.get(keyword).filter(|bound| bound.is_number())?;
        (show_widths || !is_width_bound(bound)).then(|| bound.to_string())
    };
    let mut words = match (bound("minimum"), bound("maximum")) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    };
    for (keyword, word) in [("exclusiveMinimum", "above"), ("exclusiveMaximum", "below")] {
        if let Some(bound) = bound(keyword) {
            let and = if words.is_empty() { "" } else { " and" };
            words.push_str(&format!("{and} {word} {bound}"));
        }
    }
    if let Some(divisor) = keywords.get("multipleOf") {
        words.push_str(&format!(" that is a multiple of {divisor}"));
    }
    words
}

fn is_width_bound(bound: &Value) -> bool {
    let widths = [
        i64::from(i32::MIN),
        i64::from(i32::MAX),
        i64::from(u32::MAX),
        i64::MIN,
        i64::MAX,
    ];
    bound.as_i64().is_some_and(|bound| widths.contains(&bound)) || bound.as_u64() == Some(u64::MAX)
}

pub(super) fn string_limits(keywords: &Keywords) -> String {
    let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
    let mut words = size_limits(
        keywords,
        "minLength",
        "maxLength",
        " of",
        ("character", "characters"),
    );
    if let Some(format) = text("format") {
        words.push_str(&format!(" in the format `{format}`"));
        if let Some(known) = string_format(format) {
            words.push_str(&format!(" ({}, such as `{}`)", known.form, known.example));
        }
    }
    if let Some(pattern) = text("pattern") {
        words.push_str(&format!(" matching `{}`", super::truncate(pattern, 80)));
    }
    words
}

pub(super) fn array_limits(keywords: &Keywords) -> String {
    let mut words = size_limits(keywords, "minItems", "maxItems", " with", ("item", "items"));
    if keywords.get("uniqueItems") == Some(&Value::Bool(true)) {
        words.push_str(", without duplicates");
    }
    words
}

pub(super) fn object_limits(keywords: &Keywords) -> String {
    size_limits(
        keywords,
        "minProperties",
        "maxProperties",
        " with",
        ("property", "properties"),
    )
}

fn size_limits(
    keywords: &Keywords,
    minimum: &str,
    maximum: &str,
    preposition: &str,
    (one, many): (&str, &str),
) -> String {
    let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    let unit = |count: u64| if count == 1 { one } else { many };
    match (bound(minimum).filter(|min| *min > 0), bound(maximum)) {
        (Some(min), Some(max)) if min == max => {
            format!("{preposition} exactly {min} {}", unit(min))
        }
        (Some(min), Some(max)) => format!("{preposition} {min} to {max} {}", unit(max)),
        (Some(min), None) => format!("{preposition} at least {min} {}", unit(min)),
        (None, Some(max)) => format!("{preposition} at most {max} {}", unit(max)),
        (None, None) => String::new(),
    }
}
