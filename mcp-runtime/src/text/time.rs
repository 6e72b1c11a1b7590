use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Formats a time in UTC with seconds. A time before 1970 becomes the start of 1970.
pub(crate) fn iso8601(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}Z", date_and_time(since))
}

/// Formats a duration since the Unix epoch as a time in UTC with microseconds.
pub(crate) fn iso8601_micros(since: Duration) -> String {
    let micros = since.subsec_micros();
    format!("{}.{micros:06}Z", date_and_time(since))
}

/// Formats a date and time with Howard Hinnant's algorithm `civil_from_days`.
fn date_and_time(since: Duration) -> String {
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // The algorithm starts years in March, so that the leap day is the last day of a year.
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, year_offset) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + year_offset;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_chrono(seconds in 0..253_402_300_800_u64, micros in 0..1_000_000_u32) {
            let since = Duration::new(seconds, micros * 1000);
            let parsed = |text: String| DateTime::parse_from_rfc3339(&text).unwrap();
            let exact = parsed(iso8601_micros(since));
            prop_assert_eq!(exact.timestamp(), i64::try_from(seconds).unwrap());
            prop_assert_eq!(exact.timestamp_subsec_micros(), micros);
            let whole = parsed(iso8601(UNIX_EPOCH + since));
            prop_assert_eq!(whole.timestamp(), exact.timestamp());
        }
    }

    #[test]
    fn a_time_is_formatted_in_utc() {
        let since = Duration::from_micros(951_782_400_000_007);
        assert_eq!(iso8601_micros(since), "2000-02-29T00:00:00.000007Z");
        assert_eq!(iso8601(UNIX_EPOCH + since), "2000-02-29T00:00:00Z");
        assert_eq!(iso8601(UNIX_EPOCH - since), "1970-01-01T00:00:00Z");
    }
}
