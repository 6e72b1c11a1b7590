use std::fmt;

#[cfg(feature = "input-requests")]
use data_encoding::{BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};

/// A secret key of 32 bytes. The `Debug` output does not contain the key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SealKey(pub(crate) [u8; 32]);

/// The error for a text that is not a valid list of keys.
#[cfg(feature = "input-requests")]
#[derive(Debug, thiserror::Error)]
#[error(
    "each key is 32 bytes, as 64 hexadecimal digits or as base64; several are separated by commas"
)]
pub(crate) struct InvalidSealKey;

#[cfg(feature = "input-requests")]
impl SealKey {
    /// Parses a comma-separated list of keys. The first key is used for sealing.
    pub(crate) fn parse_list(text: &str) -> Result<Vec<Self>, InvalidSealKey> {
        let keys = text.split(',').map(str::trim);
        let keys = keys.filter(|key| !key.is_empty());
        keys.map(|key| {
            hex(key)
                .or_else(|| base64(key))
                .map(Self)
                .ok_or(InvalidSealKey)
        })
        .collect()
    }
}

#[cfg(feature = "input-requests")]
fn hex(text: &str) -> Option<[u8; 32]> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

/// Decodes a key from standard or URL-safe base64, with or without padding.
#[cfg(feature = "input-requests")]
fn base64(text: &str) -> Option<[u8; 32]> {
    let text = text.trim_end_matches('=');
    let text = text.replace('+', "-").replace('/', "_");
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
    bytes.try_into().ok()
}

impl fmt::Debug for SealKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SealKey(secret)")
    }
}

#[cfg(all(test, feature = "input-requests"))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hexadecimal_or_base64_of_32_bytes() {
        let check = |text: &str, expected: Option<&[u8]>| {
            let keys = SealKey::parse_list(text).ok();
            let last_bytes = keys.map(|keys| keys.iter().map(|key| key.0[31]).collect::<Vec<_>>());
            assert_eq!(last_bytes.as_deref(), expected, "{text}");
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
