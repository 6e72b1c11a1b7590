use std::fmt::Write;

use serde_json::{Number, Value};

/// Writes equal values as the same text: members sorted, integral numbers as integers.
///
/// It follows RFC 8785, but sorts by bytes instead of UTF-16 units.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
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
            // `serde_json` sorts members only without its feature `preserve_order`.
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

/// 2^53: every integer up to it is exactly representable as a double.
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
        check("0.1", "0.1");
        check("18446744073709551615", "18446744073709551615");
    }
}
