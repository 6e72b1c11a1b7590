//! Compares JSON numbers exactly, and checks whether they are multiples of each other.

use serde_json::Number;
use std::cmp::Ordering;

/// The `pattern` for a string that contains an unsigned 64-bit integer.
pub(crate) const UNSIGNED_DIGITS: &str = "^[0-9]{1,20}$";
/// The `pattern` for a string that contains a signed 64-bit integer.
pub(crate) const SIGNED_DIGITS: &str = "^-?[0-9]{1,19}$";

/// A decimal number, `digits × 10^exponent`, without trailing zeros in `digits`.
///
/// Equal numbers have equal `Decimal`s, even if their JSON texts differ. The number `0.1` is
/// exactly one tenth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// Parses a JSON number. Returns `None` if `text` is not a number or has too many digits.
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
        Some(Self::new(sign * digits, exponent.checked_sub(places)?))
    }

    pub(crate) fn from_number(number: &Number) -> Option<Self> {
        match as_i128(number) {
            Some(whole) => Some(Self::new(whole, 0)),
            None => Self::parse(&number.to_string()),
        }
    }

    /// Returns the number if it is an integer within the range of `i128`.
    pub(crate) fn to_integer(self) -> Option<i128> {
        self.digits_at(0)
    }

    pub(crate) fn is_integer(self) -> bool {
        self.exponent >= 0
    }

    /// Checks whether the number is a multiple of `divisor`. Returns `None` if the digits exceed
    /// the range of `i128`.
    fn is_multiple_of(self, divisor: Self) -> Option<bool> {
        let mut remainder = self.digits.checked_rem(divisor.digits)?;
        let places = self.exponent.checked_sub(divisor.exponent)?;
        if places < 0 {
            // A number with a smaller exponent is not a multiple, because its digits have no
            // trailing zeros. Zero is a multiple of every divisor.
            return Some(self.digits == 0);
        }
        // This is a long division with one digit per step. The maximum number of steps exceeds the
        // range of exponents of `f64`.
        for _ in 0..places.min(1_000) {
            if remainder == 0 {
                break;
            }
            remainder = remainder.checked_mul(10)? % divisor.digits;
        }
        Some(remainder == 0)
    }

    fn new(mut digits: i128, mut exponent: i32) -> Self {
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

    /// Returns the digits of the same number with a smaller exponent.
    fn digits_at(self, exponent: i32) -> Option<i128> {
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
    if let (Some(left), Some(right)) = (as_i128(left), as_i128(right)) {
        return left.cmp(&right);
    }
    let exact = || {
        let (left, right) = (Decimal::from_number(left)?, Decimal::from_number(right)?);
        let exponent = left.exponent.min(right.exponent);
        Some(left.digits_at(exponent)?.cmp(&right.digits_at(exponent)?))
    };
    exact().unwrap_or_else(|| {
        let (left, right) = (left.as_f64(), right.as_f64());
        left.partial_cmp(&right).unwrap_or(Ordering::Equal)
    })
}

pub(crate) fn is_multiple(number: &Number, divisor: &Number) -> bool {
    let exact = || Decimal::from_number(number)?.is_multiple_of(Decimal::from_number(divisor)?);
    exact().unwrap_or_else(|| match (number.as_f64(), divisor.as_f64()) {
        (Some(number), Some(divisor)) => number % divisor == 0.0,
        _ => false,
    })
}

pub(crate) fn is_integer(number: &Number) -> bool {
    as_i128(number).is_some() || Decimal::from_number(number).is_some_and(Decimal::is_integer)
}

fn as_i128(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}
