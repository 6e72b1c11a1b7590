/// Decodes standard base64, strictly: the whole alphabet and nothing else, with
/// its padding, and no bits left over.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let padding = bytes
        .iter()
        .rev()
        .take(2)
        .take_while(|it| **it == b'=')
        .count();
    let mut decoded = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in &bytes[..bytes.len() - padding] {
        bits = bits << 6 | u32::from(digit(*byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    (bits == 0).then_some(decoded)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn only_canonical_base64_is_decoded() {
        let check = |text, expected: Option<&str>| {
            let decoded = decode(text).map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(decoded.as_deref(), expected, "{text}");
        };
        check("", Some(""));
        check("SGVsbG8=", Some("Hello"));
        check("SGVsbG8sIOS4lueVjA==", Some("Hello, 世界"));
        check("IHBhZGRlZCA=", Some(" padded "));
        check("bGluZTEKbGluZTI=", Some("line1\nline2"));
        check("SGVsbG8", None);
        check("SGVs!!!bG8=", None);
        check("SGVsbG9=", None);
        check("====", None);
        check("A===", None);
        check("SG=sbG8=", None);
        check("SGVs bG8=", None);
        check("-_-_", None);
    }
}
