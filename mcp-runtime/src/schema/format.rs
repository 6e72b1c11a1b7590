//! The forms of strings with a well-known `format`, for error texts and examples.
//!
//! A `format` is an annotation (2020-12 validation, §7.2.1), so the Rust type decides which strings
//! it accepts. The checks in this module only find the string that a type has rejected.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A well-known format of strings.
#[derive(Debug)]
pub(crate) struct StringFormat {
    name: &'static str,
    /// A description of the form.
    pub(crate) form: &'static str,
    pub(crate) example: &'static str,
    pub(super) has_form: fn(&str) -> bool,
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

/// Strings that common types without a well-known `format` parse, such as IP addresses, versions
/// and sizes.
///
/// JSON Schema defines no `format` for these types.
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

/// Returns the well-known format with this name.
pub(crate) fn string_format(name: &str) -> Option<&'static StringFormat> {
    FORMATS.iter().find(|format| format.name == name)
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

/// Whether the text has a scheme that is followed by at least one character (RFC 3986, section 3).
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
    use super::*;

    #[test]
    fn each_example_has_its_own_form() {
        for format in &FORMATS {
            assert!((format.has_form)(format.example), "{}", format.name);
        }
    }
}
