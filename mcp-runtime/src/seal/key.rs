use std::fmt;

#[cfg(feature = "asking")]
use data_encoding::{BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};

/// A secret of 32 bytes; it never prints.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) [u8; 32]);

#[cfg(feature = "asking")]
/// A text that is no list of keys.
#[derive(Debug, thiserror::Error)]
#[error(
    "each key is 32 bytes, as 64 hexadecimal digits or as base64; several are separated by commas"
)]
pub(crate) struct BadKey;

#[cfg(feature = "asking")]
impl Key {
    /// Reads keys, the one that seals first.
    pub(crate) fn list(text: &str) -> Result<Vec<Self>, BadKey> {
        let keys = text.split(',').map(str::trim);
        let keys = keys.filter(|key| !key.is_empty());
        keys.map(|key| hex(key).or_else(|| base64(key)).map(Self).ok_or(BadKey))
            .collect()
    }
}

#[cfg(feature = "asking")]
fn hex(text: &str) -> Option<[u8; 32]> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

/// Either alphabet, padded or not.
#[cfg(feature = "asking")]
fn base64(text: &str) -> Option<[u8; 32]> {
    let text = text.trim_end_matches('=');
    let text = text.replace('+', "-").replace('/', "_");
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(secret)")
    }
}

#[cfg(all(test, feature = "asking"))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hexadecimal_or_base64_of_32_bytes() {
        let check = |text: &str, expected: Option<&[u8]>| {
            let found = Key::list(text).ok();
            let first = found.map(|keys| keys.iter().map(|key| key.0[31]).collect::<Vec<_>>());
            assert_eq!(first.as_deref(), expected, "{text}");
        };
        let (hex, base64) = ("0f".repeat(32), format!("{}Dw", "Dw8P".repeat(10)));
        check(&hex, Some(&[15]));
        check(&base64, None);
        let base64 = format!("{}Dw8=", "Dw8P".repeat(10));
        check(&base64, Some(&[15]));
        check(base64.trim_end_matches('='), Some(&[15]));
        check(&format!("{hex}, {}", "ff".repeat(32)), Some(&[15, 255]));
        check("", Some(&[]));
        check(&"0f".repeat(31), None);
        check("secret", None);
        check(&"€".repeat(64), None);
    }
}
