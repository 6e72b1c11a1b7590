//! Percent-decoding and normalization of URIs. Equivalent URIs have the same normalized form.

use std::borrow::Cow;

/// Returns the normalized form of a URI (RFC 3986, section 6.2.2).
///
/// The function percent-encodes characters that a URI cannot contain, decodes unreserved
/// characters, and writes hexadecimal digits in uppercase.
pub(crate) fn normalize(uri: &str) -> Cow<'_, str> {
    let bytes = uri.as_bytes();
    let mut normalized = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let unit = Unit::at(bytes, at);
        normalized.push_str(unit.as_str());
        at += unit.width;
    }
    match normalized == uri {
        true => Cow::Borrowed(uri),
        false => Cow::Owned(normalized),
    }
}

/// Returns the position in `uri` after the normalized `literal`, or `None` if `uri` does not
/// contain the literal at `from`.
pub(super) fn after_literal(uri: &str, literal: &str, from: usize) -> Option<usize> {
    let (mut at, mut rest) = (from, literal);
    while !rest.is_empty() {
        if at >= uri.len() {
            return None;
        }
        let unit = Unit::at(uri.as_bytes(), at);
        rest = rest.strip_prefix(unit.as_str())?;
        at += unit.width;
    }
    // A literal may end in the middle of a character, for example with `%C3`.
    uri.is_char_boundary(at).then_some(at)
}

/// Returns the decoded byte at a position and the length of its encoded text. The byte is `None`
/// for a `%` without two hexadecimal digits.
pub(super) fn decode_byte(uri: &[u8], at: usize) -> (Option<u8>, usize) {
    let digit = |at: usize| uri.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    match uri.get(at) {
        Some(b'%') => match (digit(at + 1), digit(at + 2)) {
            // Two hexadecimal digits always fit into a byte.
            (Some(high), Some(low)) => (u8::try_from(high * 16 + low).ok(), 3),
            _ => (None, 1),
        },
        byte => (byte.copied(), 1),
    }
}

/// The normalized text of one byte of a URI.
struct Unit {
    text: [u8; 3],
    length: usize,
    /// The number of bytes that this byte takes in the original URI.
    width: usize,
}

impl Unit {
    fn at(uri: &[u8], at: usize) -> Self {
        let (byte, width) = decode_byte(uri, at);
        let byte = byte.unwrap_or(b'%');
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_unreserved || (width == 1 && b":/?#[]@!$&'()*+,;=".contains(&byte)) {
            return Self {
                text: [byte, 0, 0],
                length: 1,
                width,
            };
        }
        let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value)];
        Self {
            text: [b'%', digit(byte >> 4), digit(byte & 15)],
            length: 3,
            width,
        }
    }

    fn as_str(&self) -> &str {
        // The text is always valid UTF-8 because it is ASCII.
        std::str::from_utf8(&self.text[..self.length]).unwrap_or_default()
    }
}
