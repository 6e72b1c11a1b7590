use serde_json::Value;

use crate::wire::{Revision, table::Shape};

pub(crate) const INTEGER: Shape = Shape::Is("an integer", |value| value.is_i64() || value.is_u64());
pub(crate) const COUNT: Shape = Shape::Is("an integer of at least 0", Value::is_u64);
pub(crate) const ID: Shape = Shape::Is("a string or an integer", is_id);
pub(crate) const FRACTION: Shape = Shape::Is("a number from 0 to 1", |value| {
    value.as_f64().is_some_and(|it| (0.0..=1.0).contains(&it))
});
pub(crate) const URI: Shape = Shape::Is("a URI with a scheme", |value| {
    value.as_str().is_some_and(has_scheme)
});
pub(crate) const FILE_URI: Shape = Shape::Is("a URI that starts with `file://`", |value| {
    value
        .as_str()
        .is_some_and(|text| text.starts_with("file://"))
});
pub(crate) const BASE64: Shape = Shape::Is("base64 text with padding", |value| {
    value.as_str().is_some_and(is_base64)
});
pub(crate) const TIMESTAMP: Shape = Shape::Is("an ISO 8601 date or time", |value| {
    value.as_str().is_some_and(is_timestamp)
});
pub(crate) const FORM_VALUE: Shape =
    Shape::Is("a string, number, boolean or string array", |value| {
        value.is_string() || value.is_number() || value.is_boolean() || is_string_list(value)
    });

/// Whether the value can be a request id or a progress token.
pub(crate) fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64() || value.is_u64()
}

fn is_string_list(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(Value::is_string))
}

/// RFC 3986 section 3.1.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
    })
}

/// RFC 4648 section 4, with padding.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - digits.len() <= 2
        && digits
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'+' || it == b'/')
}

fn is_timestamp(text: &str) -> bool {
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00"));
    let parts: Vec<_> = date.split('-').map(str::len).collect();
    parts == [4, 2, 2]
        && date.bytes().all(|it| it.is_ascii_digit() || it == b'-')
        && time.starts_with(|first: char| first.is_ascii_digit())
        && time
            .bytes()
            .all(|it| it.is_ascii_digit() || b":.+-Z".contains(&it))
}

/// Why a server must not use the key in `_meta`; `None` if it may.
///
/// Not for keys that the revision itself defines.
pub(crate) fn meta_key_fault(key: &str, revision: Revision) -> Option<&'static str> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let labels: Vec<_> = prefix
        .map(|prefix| prefix.split('.').collect())
        .unwrap_or_default();
    if !labels.iter().all(|label| is_label(label)) || !is_meta_name(name) {
        Some("does not follow the grammar of `_meta` keys")
    } else if is_reserved(&labels, revision) {
        Some("uses a prefix that is reserved for the protocol")
    } else {
        None
    }
}

fn is_label(label: &str) -> bool {
    label.starts_with(|first: char| first.is_ascii_alphabetic())
        && label.ends_with(|last: char| last.is_ascii_alphanumeric())
        && label
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

fn is_meta_name(name: &str) -> bool {
    let edge = |it: char| it.is_ascii_alphanumeric();
    name.is_empty()
        || name.starts_with(edge)
            && name.ends_with(edge)
            && name
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
}

/// The second label decides; until 2025-06-18 it was the last but one.
///
/// For those revisions both are reserved, since the protocol's keys have moved.
fn is_reserved(labels: &[&str], revision: Revision) -> bool {
    let is_protocol =
        |label: Option<&&str>| matches!(label, Some(&"mcp" | &"modelcontextprotocol"));
    let old = revision <= Revision::V2025_06_18;
    is_protocol(labels.get(1)) || old && is_protocol(labels.iter().rev().nth(1))
}
