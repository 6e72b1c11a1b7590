//! JSON numbers, compared and divided exactly.

use serde_json::Number;
use std::cmp::Ordering;

/// The `pattern` of an unsigned 64-bit integer as a string.
pub(crate) const UNSIGNED_DIGITS: &str = "^[0-9]{1,20}$";
/// The `pattern` of a signed one.
pub(crate) const SIGNED_DIGITS: &str = "^-?[0-9]{1,19}$";

/// `digits × 10^exponent`, without trailing zeros in `digits`.
///
/// So equal numbers are equal `Decimal`s, however they were written, and `0.1`
/// is the tenth that its author meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// Reads a number as JSON writes it; `None` if it is none, or is too long.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (sign, unsigned) = match mantissa.strip_prefix('-') {
            Some(unsigned) => (-1, unsigned),
            None => (1, mantissa),
        };
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (unsigned, ""),
        };
        if whole.is_empty() || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let mut digits = 0_i128;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
            digits = digits.checked_mul(10)?.checked_add(digit)?;
        }
        let places = i32::try_from(fraction.len()).ok()?;
        Some(Self::reduced(sign * digits, exponent.checked_sub(places)?))
    }

    pub(crate) fn of(number: &Number) -> Option<Self> {
        match whole(number) {
            Some(whole) => Some(Self::reduced(whole, 0)),
            None => Self::parse(&number.to_string()),
        }
    }

    /// The value, if it is a whole number that fits.
    pub(crate) fn to_integer(self) -> Option<i128> {
        self.scaled(0)
    }

    pub(crate) fn is_integer(self) -> bool {
        self.exponent >= 0
    }

    /// `None` if the question is beyond this arithmetic.
    fn is_multiple_of(self, divisor: Self) -> Option<bool> {
        let mut remainder = self.digits.checked_rem(divisor.digits)?;
        let places = self.exponent.checked_sub(divisor.exponent)?;
        if places < 0 {
            // The digits have no factor of ten left, except those of zero.
            return Some(self.digits == 0);
        }
        // No more places than two doubles can be apart: long division, a digit a step.
        for _ in 0..places.min(1_000) {
            if remainder == 0 {
                break;
            }
            remainder = remainder.checked_mul(10)? % divisor.digits;
        }
        Some(remainder == 0)
    }

    fn reduced(mut digits: i128, mut exponent: i32) -> Self {
        if digits == 0 {
            return Self {
                digits,
                exponent: 0,
            };
        }
        while digits % 10 == 0 && exponent < i32::MAX {
            digits /= 10;
            exponent += 1;
        }
        Self { digits, exponent }
    }

    /// The digits for a smaller exponent.
    fn scaled(self, exponent: i32) -> Option<i128> {
        let places = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        self.digits.checked_mul(10_i128.checked_pow(places)?)
    }
}

fn parse_exponent(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return left.cmp(&right);
    }
    let exact = || {
        let (left, right) = (Decimal::of(left)?, Decimal::of(right)?);
        let exponent = left.exponent.min(right.exponent);
        Some(left.scaled(exponent)?.cmp(&right.scaled(exponent)?))
    };
    exact().unwrap_or_else(|| {
        let (left, right) = (left.as_f64(), right.as_f64());
        left.partial_cmp(&right).unwrap_or(Ordering::Equal)
    })
}

pub(crate) fn is_multiple(number: &Number, divisor: &Number) -> bool {
    let exact = || Decimal::of(number)?.is_multiple_of(Decimal::of(divisor)?);
    exact().unwrap_or_else(|| match (number.as_f64(), divisor.as_f64()) {
        (Some(number), Some(divisor)) => number % divisor == 0.0,
        _ => false,
    })
}

pub(crate) fn is_integer(number: &Number) -> bool {
    whole(number).is_some() || Decimal::of(number).is_some_and(Decimal::is_integer)
}

fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}
