use std::time::Duration;

use crate::clock::Clock;

/// This moment in UTC, as RFC 3339 has it; a clock that is set wrongly is no
/// reason to fail a call.
pub(crate) fn now(clock: &Clock) -> String {
    rfc3339(clock.since_1970().unwrap_or_default())
}

fn rfc3339(since: Duration) -> String {
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let micros = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
}

/// The Gregorian date of a day counted from 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    // Whole cycles first, so that the loop is short however far the day is.
    year += 400 * (days / CYCLE);
    days %= CYCLE;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let february = year_length(year) - 337;
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

/// The days of 400 years.
const CYCLE: u64 = 146_097;

const fn year_length(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_chrono(seconds in 0..253_402_300_800_u64, micros in 0..1_000_000_u32) {
            let text = rfc3339(Duration::new(seconds, micros * 1000));
            let parsed = DateTime::parse_from_rfc3339(&text).unwrap();
            prop_assert_eq!(parsed.timestamp(), i64::try_from(seconds).unwrap());
            prop_assert_eq!(parsed.timestamp_subsec_micros(), micros);
        }
    }
}
