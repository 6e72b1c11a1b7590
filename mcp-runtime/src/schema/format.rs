//! The form of strings with a well-known `format`, for error texts and examples.
//!
//! A `format` is an annotation (2020-12 validation, §7.2.1): the Rust type decides which
//! strings it accepts. These checks only find the string that a type has rejected.

use std::net::{Ipv4Addr, Ipv6Addr};

use serde_json::Value;

use super::check::is_valid;
use super::keyword::{dereference, push_token, subschemas};

/// A well-known format of strings.
#[derive(Debug)]
pub(crate) struct StringFormat {
    name: &'static str,
    /// The form in words.
    pub(crate) form: &'static str,
    pub(crate) example: &'static str,
    has_form: fn(&str) -> bool,
}

const FORMATS: [StringFormat; 12] = [
    StringFormat {
        name: "date",
        form: "`YYYY-MM-DD`",
        example: "2026-01-31",
        has_form: is_date,
    },
    StringFormat {
        name: "date-time",
        form: "`YYYY-MM-DDThh:mm:ssZ`",
        example: "2026-01-31T12:00:00Z",
        has_form: |text| is_date_and(text, is_time_with_offset),
    },
    StringFormat {
        name: "partial-date-time",
        form: "`YYYY-MM-DDThh:mm:ss`",
        example: "2026-01-31T12:00:00",
        has_form: |text| is_date_and(text, is_time),
    },
    StringFormat {
        name: "time",
        form: "`hh:mm:ssZ`",
        example: "12:00:00Z",
        has_form: is_time_with_offset,
    },
    StringFormat {
        name: "partial-time",
        form: "`hh:mm:ss`",
        example: "12:00:00",
        has_form: is_time,
    },
    StringFormat {
        name: "duration",
        form: "an ISO 8601 duration",
        example: "PT1H",
        has_form: |text| text.trim_start_matches(['+', '-']).starts_with(['P', 'p']),
    },
    StringFormat {
        name: "email",
        form: "an e-mail address",
        example: "name@example.org",
        has_form: |text| {
            text.split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty())
        },
    },
    StringFormat {
        name: "ipv4",
        form: "an IPv4 address",
        example: "192.0.2.1",
        has_form: |text| text.parse::<Ipv4Addr>().is_ok(),
    },
    StringFormat {
        name: "ipv6",
        form: "an IPv6 address",
        example: "2001:db8::1",
        has_form: |text| text.parse::<Ipv6Addr>().is_ok(),
    },
    StringFormat {
        name: "uri",
        form: "an absolute URL",
        example: "https://example.org/",
        has_form: is_uri,
    },
    StringFormat {
        name: "uuid",
        form: "a UUID",
        example: "123e4567-e89b-12d3-a456-426614174000",
        has_form: |text| text.bytes().filter(u8::is_ascii_hexdigit).count() == 32,
    },
    StringFormat {
        name: "uri-reference",
        form: "a URI reference",
        example: "https://example.org/",
        has_form: |text| !text.contains(char::is_whitespace),
    },
];

/// Strings that other common types parse, such as IP addresses, versions and sizes.
///
/// Their schemas have no `format` that JSON Schema defines.
pub(crate) const PARSED_STRINGS: [&str; 8] = [
    "192.0.2.1",
    "127.0.0.1:8080",
    "1.2.3",
    "2026-01-31T12:00:00",
    "12:00:00",
    "2026-01-31T12:00:00+00:00[UTC]",
    "1s",
    "+00:00",
];

/// Returns a well-known format.
pub(crate) fn string_format(name: &str) -> Option<&'static StringFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Returns the strings that do not have the form of their `format`, with their pointers.
pub(crate) fn misformed_strings(
    root: &Value,
    schema: &Value,
    instance: &Value,
) -> Vec<(String, &'static StringFormat)> {
    let mut search = MisformedStrings {
        root,
        pointer: String::new(),
        found: Vec::new(),
    };
    search.visit(schema, instance, MAX_DEPTH);
    search.found
}

/// Schemas nested more deeply than this are not searched.
const MAX_DEPTH: usize = 32;

struct MisformedStrings<'a> {
    root: &'a Value,
    pointer: String,
    found: Vec<(String, &'static StringFormat)>,
}

impl MisformedStrings<'_> {
    fn visit(&mut self, schema: &Value, instance: &Value, depth: usize) {
        let Some(deeper) = depth.checked_sub(1) else {
            return;
        };
        let root = self.root;
        let Some(keywords) = dereference(root, schema).as_object() else {
            return;
        };
        let format = keywords.get("format").and_then(Value::as_str);
        if let (Some(format), Some(text)) = (format.and_then(string_format), instance.as_str())
            && !(format.has_form)(text)
        {
            self.found.push((self.pointer.clone(), format));
        }
        let properties = subschemas(keywords, "properties");
        for (name, value) in instance.as_object().into_iter().flatten() {
            let property = properties.and_then(|properties| properties.get(name));
            let schema = property.or_else(|| keywords.get("additionalProperties"));
            self.visit_child(name, schema, value, deeper);
        }
        for (index, value) in instance.as_array().into_iter().flatten().enumerate() {
            self.visit_child(&index.to_string(), keywords.get("items"), value, deeper);
        }
        for combination in ["allOf", "anyOf", "oneOf"] {
            let branches = keywords.get(combination).and_then(Value::as_array);
            let mut valid = branches
                .into_iter()
                .flatten()
                .filter(|branch| is_valid(root, branch, instance));
            if combination == "allOf" {
                valid.for_each(|branch| self.visit(branch, instance, deeper));
            } else {
                self.visit_one_of(valid.by_ref().collect(), instance, deeper);
            }
        }
    }

    fn visit_child(&mut self, token: &str, schema: Option<&Value>, value: &Value, depth: usize) {
        let Some(schema) = schema else {
            return;
        };
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        self.visit(schema, value, depth);
        self.pointer.truncate(length);
    }

    /// One alternative whose strings have their form is enough.
    fn visit_one_of(&mut self, branches: Vec<&Value>, instance: &Value, depth: usize) {
        let before = self.found.len();
        for branch in branches {
            self.found.truncate(before);
            self.visit(branch, instance, depth);
            if self.found.len() == before {
                return;
            }
        }
    }
}

fn digits(text: &str, range: std::ops::RangeInclusive<u32>) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().is_ok_and(|number| range.contains(&number))
}

fn is_date(text: &str) -> bool {
    let [year, month, day] = text.split('-').collect::<Vec<_>>()[..] else {
        return false;
    };
    let days = match month {
        "02" if is_leap_year(year) => 29,
        "02" => 28,
        "04" | "06" | "09" | "11" => 30,
        _ => 31,
    };
    (year.len(), month.len(), day.len()) == (4, 2, 2)
        && digits(year, 0..=9999)
        && digits(month, 1..=12)
        && digits(day, 1..=days)
}

fn is_leap_year(year: &str) -> bool {
    let year = year.parse::<u32>().unwrap_or(1);
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn is_date_and(text: &str, is_time: fn(&str) -> bool) -> bool {
    let separator = |letter: char| matches!(letter, 'T' | 't' | ' ');
    text.split_once(separator)
        .is_some_and(|(date, time)| is_date(date) && is_time(time))
}

fn is_time(text: &str) -> bool {
    let (time, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let [hour, minute, second] = time.split(':').collect::<Vec<_>>()[..] else {
        return false;
    };
    (hour.len(), minute.len(), second.len()) == (2, 2, 2)
        && digits(hour, 0..=23)
        && digits(minute, 0..=59)
        && digits(second, 0..=60)
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_time_with_offset(text: &str) -> bool {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return is_time(time);
    }
    text.rfind(['+', '-']).is_some_and(|at| {
        let (time, offset) = text.split_at(at);
        is_time(time) && offset.len() == 6 && is_time(&format!("{}:00", &offset[1..]))
    })
}

/// A scheme and something after it (RFC 3986, section 3).
fn is_uri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
            && !rest.is_empty()
            && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_example_has_its_own_form() {
        for format in &FORMATS {
            assert!((format.has_form)(format.example), "{}", format.name);
        }
    }

    #[test]
    fn misformed_strings_are_found_where_they_are() {
        let date = json!({ "type": "string", "format": "date" });
        let schema = json!({
            "type": "object",
            "properties": {
                "day": date,
                "days": { "type": "array", "items": date },
                "either": { "anyOf": [date, { "type": "string", "format": "uuid" }] },
            },
        });
        let found = |instance: Value| -> Vec<String> {
            let found = misformed_strings(&schema, &schema, &instance);
            found.into_iter().map(|(pointer, _)| pointer).collect()
        };
        assert_eq!(found(json!({ "day": "02.01.2026" })), ["/day"]);
        assert_eq!(found(json!({ "day": "2026-02-29" })), ["/day"]);
        assert_eq!(found(json!({ "days": ["2024-02-29", "x"] })), ["/days/1"]);
        assert_eq!(found(json!({ "either": "2026-01-31" })), [""; 0]);
        assert_eq!(found(json!({ "either": FORMATS[10].example })), [""; 0]);
        assert_eq!(found(json!({ "either": "x" })), ["/either"]);
    }
}
