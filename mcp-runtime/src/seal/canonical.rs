use std::fmt::Write;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Number, Value};

/// Writes a value as canonical JSON. Equal values have the same text, because members are sorted
/// and whole numbers are written as integers.
///
/// The format follows RFC 8785, but members are sorted by bytes instead of UTF-16 code units.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

/// Converts a JSON text to canonical JSON. In contrast to [`canonical`], this function keeps values
/// that a [`Value`] cannot hold: integers of more than 64 bits, numbers outside of the range of
/// `f64`, and unpaired surrogates.
pub(crate) fn canonical_json(json: &str) -> String {
    let mut out = String::new();
    write_json(&mut out, json.trim_ascii());
    out
}

fn write_json(out: &mut String, json: &str) {
    let written = match json.as_bytes().first() {
        Some(b'{') => write_raw_object(out, json),
        Some(b'[') => write_raw_array(out, json),
        _ => None,
    };
    if written.is_some() {
        return;
    }
    let is_integer = json
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    match serde_json::from_str::<Value>(json) {
        Ok(Value::Number(number)) if is_integer && number.is_f64() => out.push_str(json),
        Ok(value) => write(out, &value),
        Err(_) => out.push_str(json),
    }
}

fn write_raw_object(out: &mut String, json: &str) -> Option<()> {
    let members: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(json).ok()?;
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        separate(out, index);
        // Writing to a `String` cannot fail.
        let _ = write!(out, "{}:", Value::from(name));
        write_json(out, value.get());
    }
    out.push('}');
    Some(())
}

fn write_raw_array(out: &mut String, json: &str) -> Option<()> {
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        separate(out, index);
        write_json(out, item.get());
    }
    out.push(']');
    Some(())
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Number(number) => write_number(out, number),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(out, index);
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            // Sort the members here, because `serde_json` does not sort them with its feature
            // `preserve_order`.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| name.as_str());
            out.push('{');
            for (index, (name, value)) in members.into_iter().enumerate() {
                separate(out, index);
                // Writing to a `String` cannot fail.
                let _ = write!(out, "{}:", Value::from(name.as_str()));
                write(out, value);
            }
            out.push('}');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

/// 2^53. A double can represent every integer up to this value exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

fn write_number(out: &mut String, number: &Number) {
    let integral = number
        .as_f64()
        .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() <= MAX_EXACT);
    let _ = match integral {
        Some(float) => write!(out, "{}", float as i64),
        None => write!(out, "{number}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_the_same_text() {
        let check = |json: &str, expected: &str| {
            assert_eq!(canonical(&serde_json::from_str(json).unwrap()), expected);
        };
        check(
            r#"{ "b": [1, 2.0, -0.0], "a": null }"#,
            r#"{"a":null,"b":[1,2,0]}"#,
        );
        check(r#"{"A": "\u00e9\n"}"#, "{\"A\":\"é\\n\"}");
        check("1e300", "1e+300");
        let exact = |json: &str, expected: &str| assert_eq!(canonical_json(json), expected);
        exact(
            r#" {"b":[1, 2.0,{}],"a":"\u00e9"} "#,
            r#"{"a":"é","b":[1,2,{}]}"#,
        );
        exact(
            "1267650600228229401496703205376",
            "1267650600228229401496703205376",
        );
        exact(
            "[1267650600228229401496703205377]",
            "[1267650600228229401496703205377]",
        );
        exact(r#"{"a":1e999,"b":"\ud800"}"#, r#"{"a":1e999,"b":"\ud800"}"#);
        check("0.1", "0.1");
        check("18446744073709551615", "18446744073709551615");
    }
}
