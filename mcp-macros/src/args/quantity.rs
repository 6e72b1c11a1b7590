use syn::{Expr, Ident};

use super::value::{expected, wrong};
use super::{Value, Written};

/// `= "30s"`, in milliseconds.
pub(crate) struct Millis(pub(crate) u64);

/// `= "64KiB"`, in bytes.
pub(crate) struct Bytes(pub(crate) u64);

/// `= 4`, at least 1.
pub(crate) struct Count(pub(crate) u64);

impl Value for Millis {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
        let example = "a duration: `{key} = \"30s\"`, in `ms`, `s`, `m` or `h`";
        quantity(key, written, &UNITS, example, "\"30s\"").map(Self)
    }
}

impl Value for Bytes {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        const UNITS: [(&str, u64); 4] = [
            ("B", 1),
            ("KiB", 1 << 10),
            ("MiB", 1 << 20),
            ("GiB", 1 << 30),
        ];
        let example = "a size: `{key} = \"64KiB\"`, in `B`, `KiB`, `MiB` or `GiB`";
        quantity(key, written, &UNITS, example, "\"64KiB\"").map(Self)
    }
}

impl Value for Count {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let count = match &written {
            Written::Equals(Expr::Lit(literal)) => match &literal.lit {
                syn::Lit::Int(count) => count.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        };
        match count {
            Some(count) if count > 0 => Ok(Self(count)),
            _ => Err(expected(key, &written, "a whole number from 1", "4")),
        }
    }
}

fn quantity(
    key: &Ident,
    written: Written,
    units: &[(&str, u64)],
    kind: &str,
    example: &str,
) -> syn::Result<u64> {
    if let Written::Nothing = written {
        return Err(expected(key, &written, kind, example));
    }
    let takes = format!("takes {}", kind.replace("{key}", &key.to_string()));
    let text = match &written {
        Written::Equals(Expr::Lit(literal)) => match &literal.lit {
            syn::Lit::Str(text) => text.value(),
            _ => return Err(wrong(key, &written, &takes)),
        },
        _ => return Err(wrong(key, &written, &takes)),
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
        .ok_or_else(|| wrong(key, &written, &takes))
}
