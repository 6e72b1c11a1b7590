//! Normalization rules for integer widths. Exact bounds replace their `format`, which clients do
//! not support.

use super::{Keywords, Value, json};
use serde_json::Number;

/// The `format` that schemars uses for each integer width, with the minimum and maximum.
///
/// The bounds of widths of 64 bits and more exceed the integers that JSON numbers represent exactly
/// (up to 2^53). Therefore only the lower bound of unsigned types is used.
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

/// Returns the minimum and maximum of the integer width that a `format` names.
pub(in crate::schema) fn width_range(format: &str) -> Option<(Option<i128>, Option<i128>)> {
    let (_, min, max) = WIDTHS.iter().find(|(name, ..)| *name == format)?;
    Some((*min, *max))
}

/// Adds the bounds of the integer width. Existing bounds are kept if they are narrower.
pub(super) fn bound_by_width(schema: &mut Keywords) {
    if schema.get("type").is_none_or(|kind| kind != "integer") {
        return;
    }
    let named = schema
        .get("format")
        .and_then(Value::as_str)
        .and_then(width_range);
    if let Some((min, max)) = named {
        tighten(schema, "minimum", min, i128::max);
        tighten(schema, "maximum", max, i128::min);
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
        Some(current) => as_i128(current).map(|current| narrower(current, bound)),
    };
    if let Some(number) = narrowed.and_then(Number::from_i128) {
        schema.insert(keyword.to_owned(), Value::Number(number));
    }
}

fn as_i128(value: &Value) -> Option<i128> {
    value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from))
}

/// Replaces the `not` that schemars generates for a signed `NonZero` with two ranges, because
/// several model APIs reject `not`.
fn split_at_zero(schema: &mut Keywords) {
    if schema.get("not") != Some(&json!({"enum": [0]})) || schema.contains_key("anyOf") {
        return;
    }
    schema.remove("not");
    schema.remove("type");
    let mut below = json!({"type": "integer", "maximum": -1});
    let mut above = json!({"type": "integer", "minimum": 1});
    if let Some(min) = schema.remove("minimum") {
        below["minimum"] = min;
    }
    if let Some(max) = schema.remove("maximum") {
        above["maximum"] = max;
    }
    schema.insert("anyOf".to_owned(), json!([below, above]));
}
