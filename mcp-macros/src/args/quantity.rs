use syn::{Expr, Ident};

use super::value::{type_error, value_error};
use super::{AttributeValue, RawValue};

/// A duration in milliseconds, parsed from a value such as `= "30s"`.
pub(crate) struct Millis(pub(crate) u64);

/// A size in bytes, parsed from a value such as `= "64KiB"`.
pub(crate) struct Bytes(pub(crate) u64);

/// A positive integer, parsed from a value such as `= 4`.
pub(crate) struct Count(pub(crate) u64);

impl AttributeValue for Millis {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
        let example = "a duration: `{key} = \"30s\"`, in `ms`, `s`, `m` or `h`";
        quantity(key, raw, &UNITS, example, "\"30s\"").map(Self)
    }
}

impl AttributeValue for Bytes {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        const UNITS: [(&str, u64); 4] = [
            ("B", 1),
            ("KiB", 1 << 10),
            ("MiB", 1 << 20),
            ("GiB", 1 << 30),
        ];
        let example = "a size: `{key} = \"64KiB\"`, in `B`, `KiB`, `MiB` or `GiB`";
        quantity(key, raw, &UNITS, example, "\"64KiB\"").map(Self)
    }
}

impl AttributeValue for Count {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let count = match &raw {
            RawValue::Equals(Expr::Lit(literal)) => match &literal.lit {
                syn::Lit::Int(count) => count.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        };
        match count {
            Some(count) if count > 0 => Ok(Self(count)),
            _ => Err(type_error(key, &raw, "a positive integer", "4")),
        }
    }
}

fn quantity(
    key: &Ident,
    raw: RawValue,
    units: &[(&str, u64)],
    kind: &str,
    example: &str,
) -> syn::Result<u64> {
    if let RawValue::None = raw {
        return Err(type_error(key, &raw, kind, example));
    }
    let takes = format!("takes {}", kind.replace("{key}", &key.to_string()));
    let text = match &raw {
        RawValue::Equals(Expr::Lit(literal)) => match &literal.lit {
            syn::Lit::Str(text) => text.value(),
            _ => return Err(value_error(key, &raw, &takes)),
        },
        _ => return Err(value_error(key, &raw, &takes)),
    };
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = units.iter().find(|(name, _)| *name == unit.trim());
    let amount = number.parse::<u64>().ok();
    let product = amount
        .zip(factor)
        .and_then(|(amount, (_, factor))| amount.checked_mul(*factor));
    product
        .filter(|product| *product > 0)
        .ok_or_else(|| value_error(key, &raw, &takes))
}
