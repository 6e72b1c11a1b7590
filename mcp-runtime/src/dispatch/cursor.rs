use data_encoding::BASE64URL_NOPAD;

/// Returns the cursor of the page that begins after the entry with this key.
///
/// The cursor contains the key instead of an index, so it stays valid if other entries are added or
/// removed (specification, *Pagination*, "stable cursors").
pub(super) fn encode(key: &str) -> String {
    let mut bytes = checksum(key).to_be_bytes().to_vec();
    bytes.extend_from_slice(key.as_bytes());
    BASE64URL_NOPAD.encode(&bytes)
}

/// Returns the key in a cursor, or `None` if the cursor is invalid.
pub(super) fn decode(cursor: &str) -> Option<String> {
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
    let (sum, key) = bytes.split_first_chunk::<4>()?;
    let key = String::from_utf8(key.to_vec()).ok()?;
    (checksum(&key).to_be_bytes() == *sum).then_some(key)
}

/// Computes an FNV-1a checksum. It detects accidental changes of a cursor, but a client can forge
/// it.
fn checksum(key: &str) -> u32 {
    key.bytes().fold(0x811c_9dc5, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cursor_names_its_entry(key in ".{0,40}") {
            prop_assert_eq!(decode(&encode(&key)), Some(key));
        }

        #[test]
        fn other_text_is_no_cursor(text in ".{0,12}") {
            prop_assume!(decode(&text).is_none_or(|key| encode(&key) != text));
            prop_assert_eq!(decode(&text), None);
        }
    }
}
