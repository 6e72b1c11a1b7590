//! Integer widths as exact bounds, since no client knows them by `format`.

use super::{Keywords, Value, json};
use serde_json::Number;

/// What schemars calls each width, and the values that fit into it.
///
/// Bounds of 64 bits and more are beyond what a JSON number is trusted to hold
/// (2^53), so of those widths only the sign is told.
const WIDTHS: [(&str, Option<i128>, Option<i128>); 12] = [
    ("int8", Some(i8::MIN as i128), Some(i8::MAX as i128)),
    ("int16", Some(i16::MIN as i128), Some(i16::MAX as i128)),
    ("int32", Some(i32::MIN as i128), Some(i32::MAX as i128)),
    ("int64", None, None),
    ("int128", None, None),
    ("int", None, None),
    ("uint8", Some(0), Some(u8::MAX as i128)),
    ("uint16", Some(0), Some(u16::MAX as i128)),
    ("uint32", Some(0), Some(u32::MAX as i128)),
    ("uint64", Some(0), None),
    ("uint128", Some(0), None),
    ("uint", Some(0), None),
];

/// The smallest and largest value of the width that a `format` names.
pub(in crate::schema) fn width(format: &str) -> Option<(Option<i128>, Option<i128>)> {
    let (_, least, most) = WIDTHS.iter().find(|(name, ..)| *name == format)?;
    Some((*least, *most))
}

/// Bounds an integer by its width, and by the narrower of both if it is
/// bounded already.
pub(super) fn exact_bounds(schema: &mut Keywords) {
    if schema.get("type").is_none_or(|kind| kind != "integer") {
        return;
    }
    let named = schema.get("format").and_then(Value::as_str).and_then(width);
    if let Some((least, most)) = named {
        tighten(schema, "minimum", least, i128::max);
        tighten(schema, "maximum", most, i128::min);
    }
    split_at_zero(schema);
}

fn tighten(
    schema: &mut Keywords,
    keyword: &str,
    bound: Option<i128>,
    narrower: fn(i128, i128) -> i128,
) {
    let Some(bound) = bound else {
        return;
    };
    let narrowed = match schema.get(keyword) {
        None => Some(bound),
        Some(given) => whole(given).map(|given| narrower(given, bound)),
    };
    if let Some(number) = narrowed.and_then(Number::from_i128) {
        schema.insert(keyword.to_owned(), Value::Number(number));
    }
}

fn whole(value: &Value) -> Option<i128> {
    value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from))
}

/// "Not zero" is how schemars tells a signed `NonZero`; `not` is refused by
/// several model APIs, two ranges by none.
fn split_at_zero(schema: &mut Keywords) {
    if schema.get("not") != Some(&json!({"enum": [0]})) || schema.contains_key("anyOf") {
        return;
    }
    schema.remove("not");
    schema.remove("type");
    let mut below = json!({"type": "integer", "maximum": -1});
    let mut above = json!({"type": "integer", "minimum": 1});
    if let Some(least) = schema.remove("minimum") {
        below["minimum"] = least;
    }
    if let Some(most) = schema.remove("maximum") {
        above["maximum"] = most;
    }
    schema.insert("anyOf".to_owned(), json!([below, above]));
}
